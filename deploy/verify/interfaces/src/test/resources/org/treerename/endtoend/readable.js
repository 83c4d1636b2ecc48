// What of the page not everybody can read or reach, in words: texts without a contrast of 4.5 (WCAG 2.2, 1.4.3), fields without a
// label, buttons without a name, columns without a header, and what stands out of the page to the right.

const channels = (colour) => colour.match(/[\d.]+/g).map(Number);

function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = channels(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) {
      return colour;
    }
  }
  return [255, 255, 255];
}

function contrast(element) {
  const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const problems = [];
const where = (element) => `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.slice(0, 40)}"`;
const seen = (element) => element.checkVisibility({ visibilityProperty: true });
for (const element of document.querySelectorAll('body *')) {
  const hasText = Array.from(element.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (hasText && seen(element) && !element.matches(':disabled, script') && contrast(element) < 4.5) {
    problems.push(`contrast ${contrast(element).toFixed(2)}: ${where(element)}`);
  }
  if (element.matches('input, select') && element.labels.length === 0) {
    problems.push(`no label: ${where(element)}`);
  }
  if (element.matches('button') && !element.textContent.trim()) {
    problems.push(`no name: ${where(element)}`);
  }
}
for (const header of document.querySelectorAll('th:not([scope])')) {
  problems.push(`a header of nothing: ${where(header)}`);
}
if (document.documentElement.scrollWidth > window.innerWidth) {
  problems.push(`wider than the page: ${document.documentElement.scrollWidth} of ${window.innerWidth}`);
}
return problems;
