package dev.ketch.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.core.util.JsonParserSequence;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;

/**
 * Resolves aliases to objects of classes that have
 * {@link com.fasterxml.jackson.annotation.JsonIdentityInfo}. {@link KetchYamlMapper} has it.
 */
public class KetchYamlModule extends Module {
    /** Creates a module. */
    public KetchYamlModule() {}

    @Override
    public String getModuleName() {
        return "ketch-yaml";
    }

    @Override
    public Version version() {
        return KetchYamlFactory.VERSION;
    }

    @Override
    public void setupModule(SetupContext context) {
        context.addBeanDeserializerModifier(new Modifier());
    }

    private static final class Modifier extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public JsonDeserializer<?> modifyDeserializer(DeserializationConfig config,
                BeanDescription bean, JsonDeserializer<?> deserializer) {
            return deserializer.getObjectIdReader() == null
                    ? deserializer
                    : new Identified(deserializer);
        }
    }

    /** Reads an alias as the id of its object. */
    private static final class Identified extends DelegatingDeserializer {
        private static final long serialVersionUID = 1;

        Identified(JsonDeserializer<?> delegate) {
            super(delegate);
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> delegate) {
            return new Identified(delegate);
        }

        /** Returns a parser whose current token is the id, if that of {@code in} is from an alias. */
        private static JsonParser reference(JsonParser in) throws IOException {
            JsonParser inner = in;
            while (inner instanceof JsonParserSequence sequence) {
                inner = sequence.delegate();
            }
            if (inner instanceof KetchYamlParser yaml) {
                if (yaml.currentAlias() != null) {
                    yaml.takeReference();
                }
                return in;
            }
            // The parser of a TokenBuffer.
            if (!in.canReadObjectId() || !(in.getObjectId() instanceof AliasId id)) {
                return in;
            }
            in.skipChildren();
            TokenBuffer buffer = new TokenBuffer(in.getCodec(), false);
            buffer.writeString(id.name());
            JsonParser name = buffer.asParser(in);
            name.nextToken();
            return name;
        }

        @Override
        public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
            return super.deserialize(reference(in), context);
        }

        @Override
        public Object deserializeWithType(JsonParser in, DeserializationContext context,
                TypeDeserializer types) throws IOException {
            return super.deserializeWithType(reference(in), context, types);
        }
    }
}
