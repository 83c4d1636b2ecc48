package org.treerename.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sends requests whose body looks like another request, the hidden one. A server that neither reads the body nor closes
 * the connection executes the hidden request.
 */
public final class HiddenRequests {

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "OTHER");

    private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.[01] (?!100)\\d{3} ");
    private static final int PATIENCE_MILLIS = 60_000;

    private HiddenRequests() {}

    /**
     * Returns requests of each method, with each kind of body, to this path.
     *
     * @param headers further headers, each with its line end
     * @param hidden the hidden request
     */
    public static List<String> to(String path, String headers, String hidden) {
        String length = "Content-Length: " + hidden.length() + "\r\n";
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        String chunk = Integer.toHexString(hidden.length()) + "\r\n" + hidden + "\r\n";
        List<String> requests = new ArrayList<>();
        for (String method : METHODS) {
            String begin = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers;
            requests.add(begin + length + "\r\n" + hidden);
            requests.add(begin + "Connection: close\r\n" + length + "\r\n" + hidden);
            requests.add(begin + "Connection: close\r\n\r\n" + hidden);
            requests.add(begin + "Expect: 100-continue\r\n" + length + "\r\n" + hidden);
            requests.add(begin + chunked + chunk + "0\r\n\r\n");
            requests.add(begin + chunked + "no number\r\n" + hidden);
            requests.add(begin + chunked + "7fffffff\r\n" + hidden);
            requests.add(begin + chunked + "1\r\n \r\n-1\r\n" + hidden);
        }
        for (String method : List.of("GET", "POST")) {
            String begin = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers;
            for (String coding : codings(hidden.length())) {
                requests.add(begin + coding + "\r\n" + hidden);
                requests.add(begin + coding + "\r\n" + chunk + "0\r\n\r\n");
            }
            for (String number : lengths(hidden.length())) {
                requests.add(begin + "Content-Length: " + number + "\r\n\r\n" + hidden);
            }
            requests.add(begin.replace("HTTP/1.1", "HTTP/1.0") + length + "\r\n" + hidden);
            requests.add(begin.replace("HTTP/1.1", "HTTP/1.0") + "\r\n" + hidden);
        }
        return requests;
    }

    /** Returns headers of a coded body that servers may understand differently, each with its line end. */
    private static List<String> codings(int length) {
        List<String> headers = new ArrayList<>();
        for (String coding :
                List.of("Chunked", "CHUNKED", "gzip, chunked", "identity", " \tchunked\t ", "chunked, identity")) {
            headers.add("Transfer-Encoding: " + coding + "\r\n");
        }
        headers.add("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n");
        headers.add("Transfer-Encoding: chunked\r\nContent-Length: " + length + "\r\n");
        headers.add("Content-Length: 0\r\nTransfer-Encoding: chunked\r\n");
        return headers;
    }

    /** Returns lengths of a body that servers may understand differently. */
    private static List<String> lengths(int length) {
        return List.of(
                "+" + length,
                "-1",
                "0x" + Integer.toHexString(length),
                " \t" + length + "\t ",
                length + ", 0",
                "0 0",
                "0\r\nContent-Length: " + length,
                length + "\r\nContent-Length: 0");
    }

    /** Sends bytes, and returns the number of answers that arrive before the server closes the connection. */
    public static long answers(int port, String sent) throws IOException {
        ByteArrayOutputStream answers = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
                socket.shutdownOutput();
                InputStream in = socket.getInputStream();
                byte[] buffer = new byte[8_192];
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    answers.write(buffer, 0, read);
                }
            } catch (SocketException e) {
                // the server closed the connection before it had read all bytes
            }
        }
        return ANSWER.matcher(answers.toString(StandardCharsets.ISO_8859_1))
                .results()
                .count();
    }
}
