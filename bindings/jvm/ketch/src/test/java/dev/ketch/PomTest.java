package dev.ketch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The parent's pom says what repositories of Maven require of each library. */
class PomTest {
    @Test
    void thePomNamesItsProject() {
        String pom = Repository.read("bindings/jvm/pom.xml");
        for (String element : new String[] {"description", "url", "licenses", "developers", "scm"}) {
            Pattern direct = Pattern.compile("\n  <" + element + "[ >\n]");
            assertTrue(direct.matcher(pom).find(), element);
        }
        for (String part : new String[] {"connection", "developerConnection", "url"}) {
            assertTrue(pom.matches("(?s).*<scm .*<" + part + ">.+</" + part + ">.*</scm>.*"), part);
        }
    }
}
