# Shows values in a form that is the same in Ruby 1.8 and later.

def shown(value)
  case value
  when nil then 'nil'
  when true, false then value.to_s
  when Integer then value.to_s
  when Float then value.nan? ? 'nan' : [value].pack('G').unpack('H*')[0]
  when String then "s#{value.unpack('H*')[0]}"
  when Array then "[#{value.map { |entry| shown(entry) }.join(' ')}]"
  when Hash then "{#{value.map { |key, entry| "#{shown(key)}:#{shown(entry)}" }.sort.join(' ')}}"
  else "#{value.class} #{value.inspect}"
  end
end
