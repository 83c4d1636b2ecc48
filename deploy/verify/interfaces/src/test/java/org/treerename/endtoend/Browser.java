package org.treerename.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NotFoundException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Controls the browser Chromium of Debian, which runs without a window. */
final class Browser implements AutoCloseable {

    /** The colour scheme and the size of the page. */
    enum Look {
        LIGHT("light"),
        DARK("dark"),
        PHONE("light");

        private final String scheme;

        Look(String scheme) {
            this.scheme = scheme;
        }
    }

    private static final String WIDE = "--window-size=1280,900";
    private static final Map<String, Object> NARROW =
            Map.of("deviceMetrics", Map.of("width", 390, "height", 844, "pixelRatio", 1.0, "touch", true));

    private static final String SLOW_ANSWER = "the server responded with a status of 503 ";

    private static final String FOCUS = """
            const wanted = document.querySelector(arguments[0]);
            wanted?.focus();
            return wanted !== null && document.activeElement === wanted;""";

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser open(Look look) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        // no sandbox, because root may run this test; the browser opens only the page of this test
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", WIDE);
        if (look == Look.PHONE) {
            options.setExperimentalOption("mobileEmulation", NARROW);
        }
        LoggingPreferences logging = new LoggingPreferences();
        logging.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logging);
        ChromeDriverService service = ChromeDriverService.createDefaultService();
        service.setExecutable("/usr/bin/chromedriver");
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", look.scheme))));
        return new Browser(driver);
    }

    void go(String url) {
        driver.get(url);
    }

    /** Returns the visible text of the first element that matches the CSS selector. */
    String text(String css) {
        return element(css).getText();
    }

    WebElement element(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    int count(String css) {
        return driver.findElements(By.cssSelector(css)).size();
    }

    void awaitText(String css, String... wanted) {
        Awaitility.await(css + " shows " + String.join(", ", wanted))
                .atMost(Log.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                // ignore elements that an update of the page has just replaced
                .ignoreExceptionsMatching(failure ->
                        failure instanceof NotFoundException || failure instanceof StaleElementReferenceException)
                .until(() -> text(css), text -> List.of(wanted).stream().allMatch(text::contains));
    }

    /**
     * Focuses the element and presses Enter, as a user without a mouse does. Waits until the element can have the
     * focus, because a link to a section returns before the page shows this section.
     */
    void press(String css) {
        Awaitility.await(css + " has the focus")
                .atMost(Log.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> run(FOCUS, css).equals(true));
        keys(Keys.ENTER);
    }

    void type(String css, String text) {
        WebElement field = element(css);
        field.clear();
        field.sendKeys(text);
    }

    /** Sends keys to the element that has the focus. */
    void keys(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Runs a script in the page, and returns its result. Returns an empty text if the result is null. */
    Object run(String script, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
    }

    /**
     * Returns the warnings and errors in the browser's log. Examples are script errors, refused scripts and styles, and
     * failed requests. Not returned are requests that ended with status 503: this is the console's answer while
     * Elasticsearch is slow, and the page repeats the request.
     */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains(SLOW_ANSWER))
                .toList();
    }

    /**
     * Returns descriptions of the elements that some users cannot easily read or reach. The rules are in {@code
     * readable.js}.
     */
    List<String> unreadable() {
        try (InputStream in = Objects.requireNonNull(Browser.class.getResourceAsStream("readable.js"))) {
            Object found = run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return ((List<?>) found).stream().map(String::valueOf).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a screenshot to {@code target/screenshots}. */
    void photograph(String name) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "screenshots"));
            Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
