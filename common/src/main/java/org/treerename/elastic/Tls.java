package org.treerename.elastic;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings for Elasticsearch: the trusted authorities, and the certificate of this process. The host name in
 * the certificate of Elasticsearch is always checked. All files have the PEM format.
 */
public final class Tls {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]*)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** The empty password of a key store that exists only in memory. */
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;

    private Tls(SSLContext context) {
        this.context = context;
    }

    /**
     * Reads the certificates and the private key from files.
     *
     * @param authorities the file with the certificates of the trusted authorities; null for the authorities that the
     *     Java virtual machine trusts
     * @param certificate the file with the certificate of this process, followed by the certificates of intermediate
     *     authorities; null for no certificate
     * @param key the file with the private key of the certificate, in the format PKCS#8 without encryption; null if and
     *     only if {@code certificate} is null
     * @throws IllegalArgumentException if a file is missing or invalid; the message contains no content of a file
     */
    public static Tls of(@Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "a certificate and its private key must be given together, found only" + " one of them");
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    certificate == null || key == null ? null : identity(certificate, key),
                    authorities == null ? null : trust(authorities),
                    null);
            return new Tls(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot set up TLS: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the strategy for TLS connections to Elasticsearch. The strategy checks the authority and the host name of
     * a certificate. The strategy needs the host name verifier of the HTTP client. The reason is that the client
     * enables the host name check of the JDK too late, when the TLS engine already has its parameters.
     *
     * @param tls the TLS settings; null for the authorities that the Java virtual machine trusts
     */
    static TlsStrategy strategy(@Nullable Tls tls) {
        return new DefaultClientTlsStrategy(
                tls == null ? SSLContexts.createSystemDefault() : tls.context,
                HostnameVerificationPolicy.BOTH,
                new DefaultHostnameVerifier());
    }

    /**
     * Returns the TLS context, for an HTTP client that does not use {@link #strategy}. This client must check the host
     * name itself.
     */
    public SSLContext context() {
        return context;
    }

    private static TrustManager[] trust(Path authorities) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        for (Certificate authority : certificates(authorities)) {
            store.setCertificateEntry("authority-" + store.size(), authority);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] identity(Path certificate, Path key) throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry(
                "own", key(key), NO_PASSWORD, certificates(certificate).toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        Collection<? extends Certificate> found;
        try (InputStream in = Files.newInputStream(file)) {
            found = CertificateFactory.getInstance("X.509").generateCertificates(in);
        } catch (CertificateException e) {
            found = List.of();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("expected certificates in PEM in " + file + ", found none");
        }
        return found;
    }

    private static PrivateKey key(Path file) throws GeneralSecurityException {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
        }
        Matcher pem = KEY.matcher(text);
        if (pem.find()) {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
            for (String algorithm : ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                } catch (InvalidKeySpecException e) {
                    // the key has another algorithm; try the next algorithm
                }
            }
        }
        throw new IllegalArgumentException("expected a private key in PEM format (PKCS#8, not encrypted) in " + file
                + ", found none; convert a key of another format with openssl pkcs8 -topk8 -nocrypt");
    }
}
