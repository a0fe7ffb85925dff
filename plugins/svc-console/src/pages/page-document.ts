/**
 * The documents of the console. They hold no script, no style and no text of a user but what is in `settings`, one
 * attribute, escaped; everything else is in files that their headers allow.
 */
import { escaped, type WebEntry } from 'svc-kernel/pages'
import type { PageSettings } from './page-settings.ts'

/** Everything comes from this origin, nothing is written into a page as markup, and no page may frame it. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

/** On every answer of the console, refusals and files included. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY'
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' " +
  "rx='4' fill='%233b5bdb'/%3E%3Cpath d='M4 5l3 3-3 3M8.5 11H12' stroke='white' stroke-width='1.6' fill='none'/%3E%3C/svg%3E"

/** @param files path below which the files of the entry are served */
export function pageDocument(entry: WebEntry, files: string, settings: PageSettings): string {
  const title = settings.application === null ? 'Console' : `${settings.application} console`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="svc-console" content="${escaped(JSON.stringify(settings))}">
<title>${escaped(title)}</title>
<link rel="icon" href="${ICON}">
${entry.styles.map((file) => `<link rel="stylesheet" href="${files}/${file}">\n`).join('')}${entry.modules
  .map((file) => `<link rel="modulepreload" href="${files}/${file}">\n`)
  .join('')}<script type="module" src="${files}/${entry.script}"></script>
</head>
<body><div id="app"></div><noscript>The console needs JavaScript.</noscript></body>
</html>
`
}
