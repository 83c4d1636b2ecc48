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

    private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.1 (?!100)\\d{3} ");
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
        return requests;
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
