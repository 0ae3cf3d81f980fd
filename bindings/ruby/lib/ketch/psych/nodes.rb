# frozen_string_literal: true

module Ketch
  module Psych
    # The tree of a text: a Stream of Documents, each of which has a Mapping, a Sequence, a Scalar or an
    # Alias as its root.
    #
    #   document = Ketch::Psych.parse("masts: [main, mizzen]")
    #   document.root.children[1].children.map(&:value)  # => ["main", "mizzen"]
    #   document.to_ruby                                 # => {"masts"=>["main", "mizzen"]}
    #
    # Lines and columns are counted from 0, columns in characters, as in Psych.
    module Nodes
      # The methods of all nodes.
      class Node
        include Enumerable

        attr_reader :children, :tag
        attr_accessor :start_line, :start_column, :end_line, :end_column

        def initialize
          @children = []
        end

        # Yields the descendants of the node, each after its children, and then the node itself.
        def each
          return enum_for(:each) unless block_given?

          rest, parents_first = [self], []
          while (node = rest.pop)
            parents_first << node
            rest.concat(node.children) if node.children
          end
          parents_first.reverse_each { |each_node| yield each_node }
          self
        end

        # Returns the value. Symbols, times, the other values of Permissions::VALUES, and aliases are
        # permitted; other classes are not.
        def to_ruby(symbolize_names: false, freeze: false, strict_integer: false)
          permissions = Permissions.all(symbolize_names: symbolize_names, freeze: freeze, strict_integer: strict_integer)
          Reviver.new(permissions).value(self)
        end
        alias transform to_ruby

        # Writes the node as YAML, in the styles of the nodes. Returns the text, or the IO to which it was
        # written.
        def yaml(io = nil, options = {})
          text = Emitter.text(self, options)
          io ? io.write(text) && io : text
        end
        alias to_yaml yaml

        def alias? = false
        def document? = false
        def mapping? = false
        def scalar? = false
        def sequence? = false
        def stream? = false
      end

      # All documents in a text.
      class Stream < Node
        ANY, UTF8, UTF16LE, UTF16BE = 0, 1, 2, 3

        attr_accessor :encoding

        def initialize(encoding = UTF8)
          super()
          @encoding = encoding
        end

        def stream? = true
      end

      # A document. +implicit+ and +implicit_end+ are whether its start and its end have no marker.
      class Document < Node
        attr_accessor :version, :tag_directives, :implicit, :implicit_end

        def initialize(version = [], tag_directives = [], implicit = false)
          super()
          @version, @tag_directives, @implicit = version, tag_directives, implicit
          @implicit_end = true
        end

        # Returns the root node, or nil if there is none.
        def root = children.first
        def document? = true
      end

      # The methods of mappings and sequences.
      class Collection < Node
        ANY, BLOCK, FLOW = 0, 1, 2

        attr_accessor :anchor, :implicit, :style
        attr_writer :tag

        def initialize(anchor = nil, tag = nil, implicit = true, style = BLOCK)
          super()
          @anchor, @tag, @implicit, @style = anchor, tag, implicit, style
        end
      end

      # A mapping. Its children are alternating keys and values.
      class Mapping < Collection
        def mapping? = true
      end

      # A sequence. Its children are its entries.
      class Sequence < Collection
        def sequence? = true
      end

      # A scalar. +plain+ is whether it needs no tag if it is plain, and +quoted+ whether it needs none if
      # it is quoted.
      class Scalar < Node
        ANY, PLAIN, SINGLE_QUOTED, DOUBLE_QUOTED, LITERAL, FOLDED = 0, 1, 2, 3, 4, 5

        attr_accessor :value, :anchor, :plain, :quoted, :style
        attr_writer :tag

        def initialize(value, anchor = nil, tag = nil, plain = true, quoted = false, style = ANY)
          super()
          @children = nil
          @value, @anchor, @tag, @plain, @quoted, @style = value, anchor, tag, plain, quoted, style
        end

        def scalar? = true
      end

      # A reference to a node with an anchor.
      class Alias < Node
        attr_accessor :anchor

        def initialize(anchor)
          super()
          @children = nil
          @anchor = anchor
        end

        def alias? = true
      end
    end
  end
end
