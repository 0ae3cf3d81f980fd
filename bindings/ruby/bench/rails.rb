# frozen_string_literal: true

# The board's runner of a Rails application of Debian's packages: `rails.rb ketch` with Ketch::Psych in Psych's place, and
# `rails.rb psych` as it is. `rails.rb build` checks that Rails is there, and compiles the extension.
YAML_READER = ARGV.shift
PACKAGES = "ruby-railties ruby-activerecord ruby-actionpack ruby-sqlite3"

if YAML_READER == "build"
  begin
    require "rails"
    require "sqlite3"
  rescue LoadError => e
    abort "#{e.message} (apt-get install #{PACKAGES})"
  end
  exec "#{__dir__}/build"
end

$LOAD_PATH << File.expand_path("../lib", __dir__)
require "ketch/psych/replace" if YAML_READER == "ketch"
require "fileutils"

# The files of the application, which are the same for both readers.
module Harbour
  LOCALES = 40
  BOATS = 200
  ROUTES = 30

  module_function

  # Writes the application into a folder. The locales are the first documents of a stream.
  def write(folder, stream)
    locales(stream).each { |name, text| put("#{folder}/config/locales/#{name}.yml", text) }
    put("#{folder}/config/database.yml", "test: &test\n  adapter: sqlite3\n  database: ':memory:'\ndevelopment:\n  <<: *test\n")
    put("#{folder}/config/harbour.yml", "test:\n  berths: [north, south]\n  depth: 4.5\n  :crane: true\n")
    boats = Array.new(BOATS) do |at|
      "boat_#{at}:\n  name: Boat <%= #{at} %>\n  launched: 19#{at % 90 + 10}-05-01\n  rig: \"---\\n:sails:\\n- main\\n- jib #{at}\\n\"\n"
    end
    put("#{folder}/test/fixtures/boats.yml", boats.join("\n"))
    put("#{folder}/app/views/boats/index.html.erb", <<~ERB)
      <h1><%= t("label_project_plural") %></h1>
      <% @boats.each do |boat| %><p><%= boat.name %>, <%= l(boat.launched) %>: <%= boat.rig[:sails].join(", ") %></p><% end %>
      <ul><% %w[general_text_Yes general_text_No field_name field_description button_save].each do |key| %><li><%= t(key) %></li><% end %></ul>
    ERB
  end

  def locales(stream)
    documents = stream.split(/^---.*\n/).reject { |text| text.strip.empty? }
    named = documents.filter_map { |text| [text[/^("?)([A-Za-z-]+)\1:/, 2], text] }
    named.reject { |name, _| name.nil? }.first(LOCALES)
  end

  def put(path, text)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end

  # Starts the application.
  def start(folder)
    ENV["RAILS_ENV"] = "test"
    require "logger"
    %w[rails active_record/railtie action_controller/railtie action_view/railtie active_record/fixtures rack/mock].each { |name| require name }
    define(folder)
    Rails.application.config.root = folder
    Rails.application.initialize!
    ActiveRecord::Schema.verbose = false
    ActiveRecord::Schema.define { create_table(:boats) { |table| %i[string date text].zip(%i[name launched rig]) { |type, name| table.public_send(type, name) } } }
    ActiveRecord::FixtureSet.create_fixtures("#{folder}/test/fixtures", "boats")
    Rack::MockRequest.new(Rails.application)
  end

  def define(folder)
    Object.class_eval <<~RUBY, __FILE__, __LINE__ + 1
      class HarbourApplication < Rails::Application
        config.eager_load = false
        config.logger = Logger.new(IO::NULL)
        config.secret_key_base = "a" * 64
        config.hosts.clear if config.respond_to?(:hosts)
        config.i18n.default_locale = :en
        config.active_record.yaml_column_permitted_classes = [Symbol, Date]
        config.paths["app/views"] = ["#{folder}/app/views"]
        config.paths.add("config/database", with: "config/database.yml")
        routes.append do
          #{ROUTES - 3}.times { |at| get "/pier/\#{at}", to: "boats#text" }
          get "/text", to: "boats#text"
          get "/boats", to: "boats#index"
          get "/moor", to: "boats#moor"
        end
      end

      class Boat < ActiveRecord::Base
        serialize :rig
      end

      class BoatsController < ActionController::Base
        def text = render(plain: Rails.application.config_for(:harbour).inspect)

        def index
          @boats = Boat.order(:id).limit(20)
        end

        # Reads and writes a column that is YAML, and shows the page.
        def moor
          boat = Boat.find(1 + params[:at].to_i % #{BOATS})
          boat.update!(rig: boat.rig.merge(berth: "north", since: Date.new(2026, 5, 17)))
          @boats = [boat.reload]
          render :index
        end
      end
    RUBY
  end
end

# A process that starts, answers one request and ends.
class Boot
  def initialize(folder) = @command = [RbConfig.ruby, "-W0", __FILE__, YAML_READER, "--boot", folder]

  def value = -> { IO.popen(@command, &:read).tap { raise "the application does not start" unless $?.success? } }

  def run(times)
    begun = spent
    times.times { value.call }
    spent.zip(begun).map { |now, before| now - before }
  end

  def spent = Process.times.then { |all| [all.cutime, all.cstime, Board.real] }
end

if ARGV[0] == "--boot"
  print Harbour.start(ARGV[1]).get("/boats").body
  exit
end

require "tmpdir"
require_relative "board"

# Each operation writes the application once, for all.
module Board
  @folders = Hash.new { |all, path| all[path] = Dir.mktmpdir.tap { |folder| Harbour.write(folder, text(path)) } }
  at_exit { @folders.each_value { |folder| FileUtils.rm_rf(folder) } }

  def self.folder(path) = @folders[path]
  def self.application(path) = @application ||= Harbour.start(folder(path))

  operation("rails.boot") { |_, path| Boot.new(folder(path)) }
  { "controller" => "/text", "view" => "/boats", "action" => "/moor?at=7" }.each do |name, address|
    operation "rails.#{name}" do |_, path|
      application = application(path)
      # A hundred requests, the first of which is compared.
      task(address, ->(at) { 100.times { application.get(at) } }, value: -> { application.get(address).body.gsub(/\d{4}-\d\d-\d\dT\S+/, "") })
    end
  end
end

require_relative "runner"
