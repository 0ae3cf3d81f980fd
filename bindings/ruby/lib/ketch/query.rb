# frozen_string_literal: true

module Ketch
  # A compiled program in jq's language, which any number of runs and threads may share.
  #
  #   names = Ketch::Query.new(".[] | select(.price < $max) | .name", vars: { max: 10 })
  #   names.run("[{name: rope, price: 9.5}, {name: sail, price: 120}]").to_a  # => ["rope"]
  class Query
    # Compiles a program.
    #
    # @param vars [Hash] the values of the program's variables, without +$+ in their names
    # @param modules [Hash, #call] the texts of the modules that the program may import, by their names, or what
    #   returns the text of a module, or nil
    # @param messages [Boolean] whether the program is written as messages, such as +items map(price * qty) sum+
    # @raise [QueryError] if the program is not valid
    def initialize(program, vars: {}, modules: {}, messages: false)
      texts = modules.respond_to?(:call) ? {} : modules.transform_keys(&:to_s)
      variables = Ketch.dump(vars.transform_keys(&:to_s))
      begin
        @program = QueryProgram.compile(program, variables, Ketch.dump(texts), messages)
      rescue QueryError => e
        missing = e.missing_module
        text = modules.call(missing) if missing && !texts.key?(missing) && modules.respond_to?(:call)
        raise unless text

        texts = texts.merge(missing => text)
        retry
      end
      @program.freeze
      freeze
    end

    # Returns the results for a text, which are computed as far as they are used. Each document is an input.
    #
    # Numbers that are not integers are BigDecimals.
    #
    # floats::     they are Floats
    # strict::     a missing key or index is an error
    # format::     +:json+ reads JSON texts one after another
    # null_input:: the program runs once, with nil, and asks for the documents by +input+ and +inputs+
    # slurp::      the documents are one array
    # max_steps::  the maximum number of steps of the program, 1,000,000,000 by default
    # max_frames::, max_digits:: other limits of the program
    #
    # The other options are those of Ketch.load.
    #
    # @param source [String, #read]
    # @return [Enumerator::Lazy]
    # @raise [QueryError, LimitError, Error] after the results before the error
    # @example
    #   Ketch::Query.new(".a[]").run("a: [1, 2.5]").first  # => 1
    def run(source, **options)
      Enumerator.new do |found|
        results = @program.run(source, options)
        begin
          while (result = results.next)
            found << result[0]
          end
        ensure
          results.close
        end
      end.lazy
    end

    # Returns the text that the program makes of a text: it gets each document, and returns the new one. All bytes that
    # it does not change stay as they are. The options are those of #run.
    #
    # @param text [String]
    # @return [String]
    # @raise [EditError] if the editor refuses the change
    # @example
    #   Ketch::Query.new('.image.tag = "1.10"').edit("image: {tag: '1.9'}   # pinned\n")
    #   # => "image: {tag: '1.10'}   # pinned\n"
    def edit(text, **options)
      @program.edit(text, options)
    end
  end

  private_constant :QueryProgram, :QueryResults

  class << self
    # Returns the results of a program in jq's language for a text, which are computed as far as they are used.
    #
    # @param source [String, #read]
    # @param vars [Hash] the values of the program's variables
    # @param modules [Hash, #call] as for Query.new
    # @param messages [Boolean] as for Query.new
    # @param options as for Query#run
    # @return [Enumerator::Lazy]
    # @example
    #   Ketch.query("a: [1, 2]", ".a[] * $n", vars: { n: 3 }).to_a  # => [3, 6]
    def query(source, program, vars: {}, modules: {}, messages: false, **options)
      Query.new(program, vars: vars, modules: modules, messages: messages).run(source, **options)
    end

    private

    # Returns the BigDecimal with these digits. The extension calls this.
    def decimal(text)
      need("bigdecimal", :BigDecimal)
      BigDecimal(text)
    end
  end
end
