package org.treerename.rename;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.treerename.journal.Deliveries;
import org.treerename.namespace.Granularity;
import org.treerename.namespace.Namespace;
import org.treerename.namespace.Rules;
import org.treerename.namespace.VersionOwner;
import org.treerename.path.Notation;
import org.treerename.path.TreePath;
import org.treerename.rename.Validation.Invalid;
import org.treerename.rename.Validation.Valid;
import org.treerename.request.OnExisting;
import org.treerename.request.ParsedRequest;
import org.treerename.request.ParsedRequest.InvalidRequest;
import org.treerename.request.Reason;
import org.treerename.tree.Rename;

class ValidationTest {

    private static Validation of(ParsedRequest asked) {
        return Validation.of(
                asked, name -> name.equals("files") ? Optional.of(World.FILES) : Optional.<Namespace>empty());
    }

    private static Validation of(String namespace, String source, String destination) {
        return of(Deliveries.rename("r1", namespace, source, destination));
    }

    private static Reason reason(Validation validation) {
        return ((Invalid) validation).reason();
    }

    @Test
    void a_request_with_two_paths_of_a_known_namespace_is_valid() {
        assertThat(of("files", "/a", "/b"))
                .isEqualTo(new Valid(
                        new Rename("r1", World.FILES, new TreePath("/a"), new TreePath("/b"), OnExisting.FAIL)));
    }

    @Test
    void an_invalid_request_names_its_problem() {
        assertThat(of(new InvalidRequest("r1", null, "source must be a string")))
                .isEqualTo(new Invalid(Reason.INVALID_REQUEST, "source must be a string"));
    }

    @Test
    void does_not_look_up_an_invalid_namespace() {
        assertThat(of("nowhere", "/a", "/b"))
                .isEqualTo(new Invalid(Reason.UNKNOWN_NAMESPACE, "no namespace is called \"nowhere\""));
        Validation odd = Validation.of(Deliveries.rename("r1", "N O", "/a", "/b"), name -> {
            throw new AssertionError("looked up " + name);
        });
        assertThat(reason(odd)).isEqualTo(Reason.UNKNOWN_NAMESPACE);
    }

    @Test
    void a_namespace_in_a_message_is_short_and_well_formed() {
        Invalid invalid = (Invalid) of("x".repeat(99) + "\uD83D\uDE00", "/a", "/b");

        assertThat(invalid.message()).isEqualTo("no namespace is called \"" + "x".repeat(99) + "?…\"");
    }

    @Test
    void names_the_end_with_the_invalid_path() {
        assertThat(of("files", "a", "b"))
                .isEqualTo(new Invalid(Reason.INVALID_PATH, "source: a path must begin with \"/\", found \"a\""));
        assertThat(of("files", "/a", "/b/"))
                .isEqualTo(
                        new Invalid(Reason.INVALID_PATH, "destination: a path must not end with \"/\", found \"/b/\""));
    }

    @Test
    void refuses_the_root_as_source() {
        assertThat(of("files", "/", "/b"))
                .isEqualTo(new Invalid(Reason.INVALID_PATH, "source: the root cannot be renamed"));
    }

    @Test
    void does_not_check_whether_the_destination_is_below_the_source() {
        assertThat(of("files", "/a", "/a/b")).isInstanceOf(Valid.class);
        assertThat(of("files", "/a", "/ab")).isInstanceOf(Valid.class);
        assertThat(of("files", "/a", "/a")).isInstanceOf(Valid.class);
        assertThat(of("files", "/a/b", "/a")).isInstanceOf(Valid.class);
    }

    private static Validation inVersion(VersionOwner owner, @Nullable String field, @Nullable Long version) {
        Rules rules = new Rules(Granularity.TREE, 1, owner, field, 0);
        Namespace namespace = new Namespace("files", "i", Notation.SLASHES, World.FILES.fields(), null, rules);
        ParsedRequest.RenameRequest asked = Deliveries.rename("r1", "files", "/a", "/b");
        return Validation.of(version == null ? asked : asked.withVersion(version), name -> Optional.of(namespace));
    }

    @Test
    void requires_a_version_exactly_if_the_request_sets_the_versions() {
        assertThat(inVersion(VersionOwner.SEQ_NO, null, null)).isInstanceOf(Valid.class);
        assertThat(inVersion(VersionOwner.SEQ_NO, null, 1L))
                .isEqualTo(new Invalid(
                        Reason.INVALID_REQUEST,
                        "version must be absent: in namespace files, Elasticsearch assigns the versions of documents"));
        assertThat(inVersion(VersionOwner.EXTERNAL, null, 7L))
                .isInstanceOfSatisfying(
                        Valid.class,
                        valid -> assertThat(valid.rename().version()).isEqualTo(7));
        assertThat(inVersion(VersionOwner.EXTERNAL_GTE, null, null))
                .isEqualTo(new Invalid(
                        Reason.INVALID_REQUEST,
                        "version is missing: another system assigns the versions of documents in namespace files, so"
                                + " the request must contain the version to write"));
        assertThat(inVersion(VersionOwner.EXTERNAL_GTE, "row", null)).isInstanceOf(Valid.class);
        assertThat(inVersion(VersionOwner.EXTERNAL_GTE, "row", 7L))
                .isEqualTo(new Invalid(
                        Reason.INVALID_REQUEST,
                        "version must be absent: in namespace files, each document contains its own version in the field"
                                + " row"));
    }

    @Test
    void reports_the_first_of_several_reasons() {
        assertThat(reason(of("nowhere", "a", "b"))).isEqualTo(Reason.UNKNOWN_NAMESPACE);
        assertThat(reason(of("files", "/a", "/a//b"))).isEqualTo(Reason.INVALID_PATH);
        assertThat(reason(of("files", "/", "/a"))).isEqualTo(Reason.INVALID_PATH);
    }
}
