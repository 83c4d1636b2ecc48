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

/** A real browser without a window: Debian's Chromium. */
final class Browser implements AutoCloseable {

    /** How it is looked at. */
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

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser open(Look look) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary("/usr/bin/chromium");
        // no sandbox, for a test may be run by root; it sees nothing but the page of this test
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

    /** The visible text of the first element that is found. */
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
        Awaitility.await(css + " tells " + String.join(", ", wanted))
                .atMost(Log.PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                // what is drawn anew is another element
                .ignoreExceptionsMatching(failure ->
                        failure instanceof NotFoundException || failure instanceof StaleElementReferenceException)
                .until(() -> text(css), text -> List.of(wanted).stream().allMatch(text::contains));
    }

    /** By the keyboard's Enter, as somebody does who has no mouse. */
    void press(String css) {
        driver.executeScript("document.querySelector(arguments[0]).focus()", css);
        keys(Keys.ENTER);
    }

    void type(String css, String text) {
        WebElement field = element(css);
        field.clear();
        field.sendKeys(text);
    }

    /** To whatever has the focus. */
    void keys(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** What a script in the page returns. */
    Object run(String script, Object... arguments) {
        return Objects.requireNonNullElse(driver.executeScript(script, arguments), "");
    }

    /** What the browser complains of: errors, refused scripts and styles, requests that failed. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /** What of the page not everybody can read or reach, in words; see {@code readable.js}. */
    List<String> unreadable() {
        try (InputStream in = Objects.requireNonNull(Browser.class.getResourceAsStream("readable.js"))) {
            Object found = run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return ((List<?>) found).stream().map(String::valueOf).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Into {@code target/screenshots}. */
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
