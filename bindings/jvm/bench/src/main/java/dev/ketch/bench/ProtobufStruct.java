package dev.ketch.bench;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes and reads values as protobuf's {@code google.protobuf.Value}, its type for data without a
 * schema of its own. All numbers are doubles.
 */
final class ProtobufStruct {
    private ProtobufStruct() {}

    static byte[] dump(Object value) {
        return message(value).toByteArray();
    }

    static Object load(byte[] bytes) throws InvalidProtocolBufferException {
        return object(Value.parseFrom(bytes));
    }

    private static Value message(Object value) {
        Value.Builder message = Value.newBuilder();
        if (value == null) {
            message.setNullValue(NullValue.NULL_VALUE);
        } else if (value instanceof Boolean bool) {
            message.setBoolValue(bool);
        } else if (value instanceof Number number) {
            message.setNumberValue(number.doubleValue());
        } else if (value instanceof List<?> list) {
            ListValue.Builder items = ListValue.newBuilder();
            list.forEach(item -> items.addValues(message(item)));
            message.setListValue(items);
        } else if (value instanceof Map<?, ?> map) {
            Struct.Builder fields = Struct.newBuilder();
            map.forEach((key, item) -> fields.putFields(String.valueOf(key), message(item)));
            message.setStructValue(fields);
        } else {
            message.setStringValue(value.toString());
        }
        return message.build();
    }

    private static Object object(Value message) {
        return switch (message.getKindCase()) {
            case BOOL_VALUE -> message.getBoolValue();
            case NUMBER_VALUE -> message.getNumberValue();
            case STRING_VALUE -> message.getStringValue();
            case LIST_VALUE -> {
                List<Object> items = new ArrayList<>(message.getListValue().getValuesCount());
                message.getListValue().getValuesList().forEach(item -> items.add(object(item)));
                yield items;
            }
            case STRUCT_VALUE -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                message.getStructValue().getFieldsMap().forEach((key, item) -> fields.put(key, object(item)));
                yield fields;
            }
            default -> null;
        };
    }

    /** Returns the value with integers for doubles that are integers, which have no type of their own here. */
    static Object whole(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> entries = new LinkedHashMap<>();
            map.forEach((key, item) -> entries.put(key, whole(item)));
            return entries;
        }
        if (value instanceof List<?> items) {
            return items.stream().map(ProtobufStruct::whole).collect(Collectors.toCollection(ArrayList::new));
        }
        return value instanceof Double number && number == number.longValue() ? (Object) number.longValue() : value;
    }
}
