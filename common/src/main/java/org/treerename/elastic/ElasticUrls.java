package org.treerename.elastic;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks the URLs of the nodes of Elasticsearch. */
final class ElasticUrls {

    private static final Set<String> SCHEMES = Set.of("http", "https");

    private ElasticUrls() {}

    /** Parses a URL. If the text is not a URL, throws an exception whose message contains no password. */
    static URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw notOfTheForm(url.replaceFirst("^([a-zA-Z]+://)?.*@", "$1***@"));
        }
    }

    private static IllegalArgumentException notOfTheForm(String url) {
        return new IllegalArgumentException(
                "a URL of Elasticsearch must have the form http://HOST:PORT or https://HOST:PORT, found " + url);
    }

    /**
     * Throws if the URLs are unusable. Either all URLs must be https, or all must be http. So the credentials are
     * encrypted on every connection or on none.
     */
    static void requireUsable(List<URI> urls, @Nullable Tls tls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("expected at least one URL of Elasticsearch, found none");
        }
        Set<String> schemes = new TreeSet<>();
        for (URI url : urls) {
            if (url.getRawUserInfo() != null) {
                throw new IllegalArgumentException(
                        "a URL of Elasticsearch must not contain a user or a password; use the settings for the"
                                + " user and the password instead");
            }
            if (url.getHost() == null || !SCHEMES.contains(String.valueOf(url.getScheme()))) {
                throw notOfTheForm(url.toString());
            }
            schemes.add(url.getScheme());
        }
        if (schemes.size() > 1) {
            throw new IllegalArgumentException(
                    "the URLs of Elasticsearch must be all http or all https, found both: " + urls);
        }
        if (tls != null && schemes.contains("http")) {
            throw new IllegalArgumentException(
                    "the URLs of Elasticsearch must be https if certificates are given, found " + urls);
        }
    }
}
