package dev.ketch.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
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

        private static void takeReference(JsonParser in) {
            if (in instanceof KetchYamlParser yaml && yaml.currentAlias() != null) {
                yaml.takeReference();
            }
        }

        @Override
        public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
            takeReference(in);
            return super.deserialize(in, context);
        }

        @Override
        public Object deserializeWithType(JsonParser in, DeserializationContext context,
                TypeDeserializer types) throws IOException {
            takeReference(in);
            return super.deserializeWithType(in, context, types);
        }
    }
}
