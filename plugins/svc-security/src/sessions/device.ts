/** What a session was opened with, for people: `Firefox on Windows`. A user agent says what it likes: this proves nothing. Pure. */

type Names = readonly (readonly [pattern: RegExp, name: string])[]

/** In this order, as most of them name others too. */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
  [/^(?:node|undici|axios|got)\b/i, 'Node.js']
]

const SYSTEMS: Names = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux']
]

/** @returns `null` for what names neither a browser nor a system that is known */
export function deviceOf(userAgent: string): string | null {
  const [browser, system] = [nameIn(userAgent, BROWSERS), nameIn(userAgent, SYSTEMS)]
  if (browser !== null && system !== null) return `${browser} on ${system}`
  return browser ?? system
}

function nameIn(userAgent: string, names: Names): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}
