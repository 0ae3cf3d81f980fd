# frozen_string_literal: true

# A thousand edits in one session, through Ruby's views. The session is opened and its items are found untimed.
module Board
  operation "edit.session" do |engine, path|
    next unless engine == "ketch"

    text = text(path)
    open = lambda do
      edit = Ketch.edit(text)
      items = edit["items"]
      items[5]["port"] = 1
      [edit, items]
    end
    change = lambda do |(edit, items)|
      1000.times { |index| items[index * 97 % 50_000]["port"] = index }
      edit
    end
    task(nil, change, fresh: open, value: -> { Ketch.load_stream(change.(open.call).text) })
  end
end
