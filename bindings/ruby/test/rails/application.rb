# frozen_string_literal: true

# A Rails application in the folder ARGV[0], whose YAML is read by Psych, or by Ketch::Psych if ARGV[1] is
# `ketch`. Prints what it has read as JSON.

folder, yaml = ARGV
ARGV.clear
ENV["RAILS_ENV"] = "test"
require "ketch/psych/replace" if yaml == "ketch"
require "logger"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"

# Its configuration is that of a new application.
class Fleet < Rails::Application
  config.eager_load = false
  config.logger = Logger.new(IO::NULL)
  config.secret_key_base = "a" * 64
  config.i18n.available_locales = %i[en de]
  config.i18n.default_locale = :de
  config.active_record.yaml_column_permitted_classes = [Symbol, Date, ActiveSupport::HashWithIndifferentAccess]
end

Fleet.config.root = folder
Fleet.config.paths.add("config/database", with: "config/database.yml")
Fleet.initialize!

# Its tables and models.
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:boats) do |table|
    table.string :name
    table.date :launched
    table.text :rig
    table.text :settings
    table.text :crew
    table.timestamps
  end
end

# Three columns of it are YAML. The hashes in the last two have indifferent access.
class Boat < ActiveRecord::Base
  serialize :rig
  store :settings, accessors: %i[colour lamps]
  serialize :crew, ActiveSupport::HashWithIndifferentAccess
end

require "active_record/fixtures"
ActiveRecord::FixtureSet.create_fixtures("#{folder}/test/fixtures", "boats")
saved = Boat.create!(name: "Anna", launched: Date.new(1902, 5, 1), rig: { "masts" => 2, "sails" => ["main", :mizzen] }, colour: "red",
                     lamps: { bow: { side: :both }, stern: [{ white: 1 }] },
                     crew: ActiveSupport::HashWithIndifferentAccess.new(mate: "Bo", since: Date.new(2026, 5, 17)))
Boat.find(saved.id).tap { |boat| boat.crew[:cook] = { name: "Cleo" } }.save!
anna = Boat.find(saved.id)

# Returns a value with the classes of all hashes in it.
def shown(value)
  case value
  when Hash then "#{value.class}{#{value.map { |key, entry| "#{key.inspect} => #{shown(entry)}" }.join(", ")}}"
  when Array then "[#{value.map { |entry| shown(entry) }.join(", ")}]"
  else value.inspect
  end
end

reader = YAML.name
puts JSON.generate(
  reader: reader,
  database: ActiveRecord::Base.connection_db_config.configuration_hash,
  databases: ActiveRecord::Base.configurations.configurations.map { |config| [config.env_name, config.configuration_hash] },
  text: I18n.t("boats.count", count: 2),
  today: I18n.l(Date.new(2026, 5, 17)),
  order: I18n.t("date.order").map(&:inspect),
  mail: Rails.application.config_for(:mail).inspect,
  boats: Boat.order(:name).map { |boat| [boat.name, boat.launched.inspect, boat.rig.inspect] },
  indifferent: [anna.settings, anna.lamps, anna.crew].map { |value| shown(value) },
  by_symbol: [anna.colour, anna.settings[:lamps][:bow]["side"], anna.crew[:cook][:name], anna.crew["since"]],
  tags: Boat.connection.select_rows("SELECT settings, crew FROM boats WHERE id = #{saved.id}")[0].map { |text| text.lines.first.chomp },
  unchanged: anna.changed?,
  stored: Boat.connection.select_value("SELECT rig FROM boats WHERE id = #{saved.id}").then { |text| YAML.unsafe_load(text).inspect }
)
