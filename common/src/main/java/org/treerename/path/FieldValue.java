package org.treerename.path;

import java.util.List;
import java.util.function.UnaryOperator;

/** What a path field of a document is to say. */
public sealed interface FieldValue {

    record Text(String text) implements FieldValue {}

    record Whole(int number) implements FieldValue {}

    record Texts(List<String> texts) implements FieldValue {
        public Texts {
            texts = List.copyOf(texts);
        }
    }

    /** Each text that it says follows from what it said. */
    record Followed(UnaryOperator<String> newText) implements FieldValue {}
}
