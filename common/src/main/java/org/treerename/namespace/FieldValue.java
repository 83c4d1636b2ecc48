package org.treerename.namespace;

import java.util.List;
import java.util.function.UnaryOperator;

/** The new value of a field that contains a path or a part of a path. */
public sealed interface FieldValue {

    /** One text, for the path field, the parent field or the name field. */
    record Text(String text) implements FieldValue {}

    /** A whole number, for the depth field. */
    record Whole(int number) implements FieldValue {}

    /** An array of texts, for the ancestors field. */
    record Texts(List<String> texts) implements FieldValue {
        public Texts {
            texts = List.copyOf(texts);
        }
    }

    /**
     * A value that depends on the old value, for the reference fields and the prefixed fields. The function returns the
     * new text for each old text.
     */
    record Followed(UnaryOperator<String> newText) implements FieldValue {}
}
