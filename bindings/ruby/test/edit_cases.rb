# frozen_string_literal: true

# Reads the cases of conformance/edit/cases.toml, and performs their operations with methods of views.
module EditCases
  Case = Struct.new(:name, :before, :operations, :after, :error, :at)

  FOLDER = "#{REPOSITORY}/conformance/edit"

  # A literal string in three quotes, or a basic one with the escapes of JSON.
  FIELD = /^(\w+) = (?:'''(.*?)'''|(".*"))$/m

  def self.all(file = "cases.toml")
    File.read("#{FOLDER}/#{file}", encoding: "UTF-8").split(/^\[\[case\]\]\n/).drop(1).map do |text|
      fields = text.gsub(/^#.*\n/, "").strip.split(/\n(?=\w+ = )/).to_h do |field|
        name, literal, basic = field.match(FIELD).captures
        [name.to_sym, literal || Ketch.load(basic)]
      end
      Case.new(*fields.values_at(*Case.members)).tap { |found| found.operations = Ketch.load(found.operations) }
    end
  end

  # Performs an operation with a method. Returns false if no method does it.
  def self.by_method(edit, operation)
    fields = operation.transform_keys(&:to_sym)
    name, path = fields.delete(:op), fields.delete(:path)
    return edit.rename_anchor(fields[:from], fields[:to]) if name == "rename_anchor" && path.nil?
    return false if !path.is_a?(Array) || fields.key?(:doc) || fields.key?(:alias) || fields.key?(:anchors)
    return edit.root.insert(fields.delete(:key), fields.delete(:value), **fields) if path.empty? && name == "insert"

    return false if path.empty?

    *above, last = path
    view = above.reduce(edit.root) { |at, key| at.is_a?(Ketch::Edit::View) ? at[key] : break }
    view.is_a?(Ketch::Edit::View) && act(view, last, name, fields)
  end

  def self.act(view, last, name, fields)
    case name
    when "set" then fields.size == 1 ? (view[last] = fields[:value]) || true : false
    when "delete" then view.is_a?(Ketch::Edit::Mapping) ? view.delete(last) || true : view.delete_at(last) || true
    when "append" then view[last] << fields[:value]
    when "rename" then view.rename(last, fields[:to])
    when "sort" then view[last].sort!
    when "merge" then view[last].deep_merge!(fields[:value])
    when "move" then view.move(last, into: fields.delete(:to).reduce(view.edit.root) { |at, key| at[key] }, **fields)
    when "comment"
      node = view.node(last)
      fields[:where] == "trailing" ? (node.comment = fields[:text]) : (node.leading_comment = fields[:text])
    else false
    end
  end
end
