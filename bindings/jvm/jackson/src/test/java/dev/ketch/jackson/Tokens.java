package dev.ketch.jackson;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The tokens of a text in a short notation. */
final class Tokens {
    private Tokens() {}

    /** Returns the tokens, each after its `!type` and `&id`, or `*id` for a copy. An error is the last one. */
    static String of(JsonFactory factory, String yaml) throws IOException {
        List<String> tokens = new ArrayList<>();
        try (JsonParser parser = factory.createParser(yaml)) {
            while (parser.nextToken() != null) {
                tokens.add(ids(parser) + one(parser));
            }
        } catch (JsonProcessingException error) {
            String first = error.getOriginalMessage().lines().findFirst().orElse("");
            tokens.add("error " + error.getLocation().getLineNr() + ":"
                    + error.getLocation().getColumnNr() + " " + first);
        }
        return String.join(" ", tokens);
    }

    private static String ids(JsonParser parser) throws IOException {
        String type = parser.getTypeId() == null ? "" : "!" + parser.getTypeId() + " ";
        Object object = parser.getObjectId();
        String id = object == null ? "" : (object instanceof AliasId ? "*" : "&") + object + " ";
        return type + id;
    }

    private static String one(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case FIELD_NAME -> parser.currentName() + ":";
            case VALUE_STRING -> "'" + parser.getText().replace("\n", "\\n") + "'";
            case VALUE_NUMBER_INT -> parser.getNumberType() + "(" + parser.getNumberValue() + ")";
            case VALUE_NUMBER_FLOAT -> "FLOAT(" + parser.getDoubleValue() + ")";
            case VALUE_EMBEDDED_OBJECT -> "bytes("
                    + Base64.getEncoder().encodeToString((byte[]) parser.getEmbeddedObject()) + ")";
            default -> token.asString();
        };
    }
}
