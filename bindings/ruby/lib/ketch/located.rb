# frozen_string_literal: true

module Ketch
  # A value with the location of each of its parts. Ketch.load and similar methods return it with `positions: true`.
  # The value itself is the same as without that option.
  #
  #   config = Ketch.load("spec:\n  ports: [80, http]\n", positions: true, filename: "spec.yml")
  #   config.value["spec"]["ports"][1]                    # => "http"
  #   config.position("spec", "ports", 1).to_s            # => "spec.yml:2:15"
  #   puts config.position("spec", "ports", 1).excerpt    # the line with a caret
  #
  # A path consists of keys and indices in the value. If names are symbolized, these keys are Symbols. A Tagged adds no
  # step. Aliases and merge keys are followed.
  class Located
    include Enumerable

    # The name of the input, if it was given.
    attr_reader :file
    # The Document, or nil if there is none in the input.
    attr_reader :document

    def initialize(document, file)
      @document = document
      @file = file
      @value = document&.value
    end

    # The value of the document.
    attr_reader :value

    # Returns the Position of the value at the end of a path.
    #
    # @param path [Array] keys and indices; the empty path leads to the whole value
    # @return [Position, nil] nil if there is no such part
    # @example
    #   Ketch.load("a: [b, c]", positions: true).position("a", 1).column  # => 8
    def position(*path)
      _, number = find(path)
      number && at(number)
    end

    # Returns the Position of the key at the end of a path.
    #
    # @return [Position, nil] nil if there is no such part, or it has no key
    def key_position(*path)
      number, = find(path)
      number && at(number)
    end

    # Returns the Position of the part at the end of a path or, if there is no such part, of the innermost one on the
    # path that exists. That is the place to report if a key is missing.
    #
    # @return [Position, nil] nil if there is no document
    def nearest_position(*path)
      path.size.downto(0) do |length|
        found = position(*path.first(length))
        return found if found
      end
      nil
    end

    # Yields each path with its Position. A collection comes before its contents. Aliases and merged values are
    # yielded, but not what they contain.
    #
    # @yieldparam path [Array]
    # @yieldparam position [Position]
    # @return [self, Enumerator]
    def each
      return enum_for(:each) unless block_given?

      rest = @document ? [[[], @document.root, true]] : []
      while (path, node, is_own = rest.pop)
        yield path, Position.new(node, @file)
        rest.concat(below(path, node).reverse) if is_own
      end
      self
    end

    # @private
    def inspect = "#<Ketch::Located #{file} #{value.inspect}>"

    private

    def find(path) = @document&.__send__(:find_node, path)

    def at(number) = Position.new(Node.new(@document, number), @file)

    # Returns the path and the node of each entry in a collection, and whether the entry is in the collection itself
    # rather than merged into it.
    def below(path, node)
      case node.kind
      when :sequence then node.children.map.with_index { |child, index| [[*path, index], child, true] }
      when :mapping
        @document.__send__(:pairs_of_node, node.number).map do |key, value, is_own|
          [[*path, Node.new(@document, key).value], Node.new(@document, value), is_own]
        end
      else []
      end
    end
  end

  # The location of a part of a value. Lines and columns are counted from 1, columns in characters. Offset and length
  # are in bytes of the input in UTF-8.
  class Position
    # The name of the input, if it was given.
    attr_reader :file
    # The Node, with its style, tag, anchor and text.
    attr_reader :node

    def initialize(node, file)
      @node = node
      @file = file
    end

    # Returns the line where the part starts.
    def line = node.line
    # Returns the column where the part starts, in characters.
    def column = node.column

    # Returns the line where the part ends.
    def end_line = node.end_line
    # Returns the column where the part ends, in characters.
    def end_column = node.end_column

    # Returns the offset where the part starts, in bytes of the input in UTF-8.
    def offset = node.offset
    # Returns the length of the part, in bytes of the input in UTF-8.
    def length = node.length

    # Returns the text of the line.
    def line_text = node.line_text

    # Returns the line, with a caret below the part.
    def excerpt = node.excerpt

    # Returns the Position of the node that an alias refers to, or nil for other nodes.
    def target = node.target&.then { |target| Position.new(target, file) }

    # Returns `file:line:column`.
    def to_s = [file, line, column].compact.join(":")

    # @private
    def inspect = "#<Ketch::Position #{self}>"

    # Returns whether both are positions of the same node.
    def ==(other) = other.is_a?(Position) && node == other.node && file == other.file
    alias eql? ==

    # @private
    def hash = [node.number, node.document.object_id, file].hash
  end
end
