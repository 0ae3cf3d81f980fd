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
    table.timestamps
  end
end

# A column of it is YAML.
class Boat < ActiveRecord::Base
  serialize :rig
end

require "active_record/fixtures"
ActiveRecord::FixtureSet.create_fixtures("#{folder}/test/fixtures", "boats")
saved = Boat.create!(name: "Anna", launched: Date.new(1902, 5, 1), rig: { "masts" => 2, "sails" => ["main", :mizzen] })

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
  stored: Boat.connection.select_value("SELECT rig FROM boats WHERE id = #{saved.id}").then { |text| YAML.unsafe_load(text).inspect }
)
