# frozen_string_literal: true

# Compares the processor time that `require "ketch"` and `require "psych"` take on JRuby, each in new processes. Fails if
# Ketch takes more than 1.1 times as long. The time is that of the thread which loads, because the time of the JVM's
# compilers varies by more than the difference.
#
#   ruby require.rb java -jar target/jruby.jar -I target/lib -I ../../ruby/lib

if ARGV[0] == "measure"
  require "java"
  threads = java.lang.management.ManagementFactory.thread_mx_bean
  started = threads.current_thread_cpu_time
  require ARGV[1]
  print threads.current_thread_cpu_time - started
  exit
end

ROUNDS = 5
times = Array.new(ROUNDS) do
  %w[psych ketch].to_h do |library|
    [library, Integer(IO.popen([*ARGV, __FILE__, "measure", library], err: File::NULL, &:read))]
  end
end
psych, ketch = %w[psych ketch].map { |library| times.map { |round| round[library] }.sort[ROUNDS / 2] }
ratio = ketch / psych.to_f
puts format("require takes %.2f times as long as that of psych", ratio)
exit ratio <= 1.1
