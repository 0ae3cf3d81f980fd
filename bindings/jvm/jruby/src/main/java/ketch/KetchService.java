package ketch;

import dev.ketch.jruby.Ketch;
import org.jruby.Ruby;
import org.jruby.runtime.load.BasicLibraryService;

/** The service that JRuby runs for {@code require "ketch/ketch"}. */
public final class KetchService implements BasicLibraryService {
    @Override
    public boolean basicLoad(Ruby runtime) {
        Ketch.define(runtime);
        return true;
    }
}
