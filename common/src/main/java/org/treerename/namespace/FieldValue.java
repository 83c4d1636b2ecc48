package org.treerename.namespace;

import java.util.List;
import java.util.function.UnaryOperator;

/** The new value of a path field of a document. */
public sealed interface FieldValue {

    /** One text. */
    record Text(String text) implements FieldValue {}

    /** A whole number. */
    record Whole(int number) implements FieldValue {}

    /** An array of texts. */
    record Texts(List<String> texts) implements FieldValue {
        public Texts {
            texts = List.copyOf(texts);
        }
    }

    /** A value that depends on the old value: the function returns the new text for each old text. */
    record Followed(UnaryOperator<String> newText) implements FieldValue {}
}
