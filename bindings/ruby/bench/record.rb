# frozen_string_literal: true

require "json"

# Stores the figures of a run as JSON in the file that RECORD names, and writes the README's tables from them. A page
# names the record between marks: `<!-- figures: yaml bench/records/DATE.json -->` and `<!-- figures: end -->`.
module Record
  MARKED = /(<!-- figures: (\w+) (\S+) -->\n).*?(<!-- figures: end -->)/m

  # Adds figures to the record, beside those of the other scripts of the same run.
  def self.add(figures)
    path = ENV["RECORD"] or return
    kept = File.exist?(path) ? JSON.parse(File.read(path)) : { "format" => 1 }
    File.write(path, "#{JSON.pretty_generate(kept.merge(JSON.parse(JSON.generate(figures))))}\n")
  end

  def self.summary(ratios)
    { mean: Measure.geometric_mean(ratios), least: ratios.min, most: ratios.max }
  end

  # Returns the page with the figures of its records, which are in `folder`.
  def self.rewrite(page, folder)
    page.gsub(MARKED) do
      open, kind, path, close = $~.captures
      "#{open}#{Tables.new(JSON.parse(File.read("#{folder}/#{path}"))).public_send(kind)}#{close}"
    end
  end

  # The text of each kind of figures.
  class Tables
    def initialize(record) = @record = record

    def yaml
      dump, small, held = @record["yaml"]["Psych.dump"], @record["small"], @record["held"]
      rows = ["Psych.load_stream", "JSON.parse", "Oj.load", "Yajl::Parser.parse", "Marshal.load", "MessagePack.unpack"]
      rows = rows.map { |name| row("`#{name}`", *@record["yaml"].fetch(name).values_at("mean", "least", "most").map { |n| short(n) }) }
      <<~TEXT

        `rake bench` compares the results of all libraries before it measures times. The tables show ratios from one run on a shared machine with two cores, over the #{@record["files"]} files of the repository's corpus. The other libraries read the same data as JSON or in their own format. The versions are #{@record["versions"]}.

        | time relative to `Ketch.load_stream` | geometric mean | least | most |
        |---|---|---|---|
        #{rows.join("\n")}

        For a document of #{small["bytes"]} bytes, Psych takes #{small["Psych.load_stream"].round} times as long as Ketch. `Psych.dump` takes #{dump["mean"].round} times as long as `Ketch.dump` (least: #{dump["least"].round}). The values of `#{held["file"]}`, a file of #{short(held["bytes"] / 1e6)} MB, take #{held["Ketch"].round} MiB of memory; they take #{held["Psych"].round} MiB with Psych, and #{held["JSON"].round} MiB with `JSON.parse` of the same data.

      TEXT
    end

    def psych
      load = @record["psych"]["Psych.load_stream"]
      <<~TEXT

        `Psych.load_stream` takes #{load["mean"].round} times as long as `Ketch::Psych.load_stream`, which returns the same values (least: #{load["least"].round}).

      TEXT
    end

    EXTPROT = {
      "size, relative to Marshal's" => "size", "`Marshal.load` from strings" => "Marshal, strings",
      "`Marshal.load` from an IO" => "Marshal, IO", "`MessagePack.unpack` from strings" => "MessagePack, strings",
      "`MessagePack::Unpacker` from an IO" => "MessagePack, IO", "`Marshal.dump`" => "Marshal, dump",
      "`MessagePack.pack`" => "MessagePack, dump",
      "objects created from an IO: Ketch, Marshal, MessagePack" => "objects",
      "MiB of memory for all messages: Ketch, Marshal, MessagePack" => "held",
      "time of pure Ruby from an IO, relative to `Marshal.load` (above 1 is slower)" => "Ruby alone, IO"
    }.freeze

    def extprot
      kinds = @record["extprot"]
      rows = EXTPROT.map { |label, key| row(label, *kinds.values.map { |kind| cell(kind[key]) }) }
      <<~TEXT

        The figures for extprot come from #{grouped(@record["messages"]["count"])} messages of #{@record["messages"]["bytes"].round} bytes. Unless a row says otherwise, a figure is the time of the other library relative to that of the extension. Marshal reads and writes the same objects (for a schema, Structs with the same fields), and MessagePack reads and writes arrays.

        #{row("", *kinds.keys)}
        |---|---|---|---|
        #{rows.join("\n")}

      TEXT
    end

    private

    def row(label, *cells) = "| #{label} | #{cells.join(" | ")} |".gsub(/ +/, " ")

    def cell(figure)
      case figure
      when nil then ""
      when Hash then figure.values.map { |part| part.is_a?(Integer) ? grouped(part) : format("%.1f", part) }.join("; ")
      else short(figure)
      end
    end

    # Formats a number with three digits, and with a decimal point below ten.
    def short(number) = format("%.3g", number).sub(/\A\d\z/, '\0.0')

    def grouped(number) = number.to_s.gsub(/(?<=\d)(?=(\d{3})+\z)/, ",")
  end
end
