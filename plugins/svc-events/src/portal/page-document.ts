/**
 * The document of the portal: no script, no style and no text but what is in one attribute, escaped. Pages of the listed
 * origins alone may frame it.
 */
import { escaped, type WebEntry } from 'svc-kernel/pages'
import type { PortalTexts } from './texts-en.ts'

/** What the page knows before its link is opened. */
export interface PortalPage {
  /** Path of the portal, without a slash at its end. */
  readonly base: string
  /** Name of the application; `null` where it was not loaded from a config. */
  readonly application: string | null
  readonly locale: string
  /** In the language of the browser: the link decides later. */
  readonly texts: PortalTexts
}

const SELF = ['self', 'none']

/** @param ancestors origins, or `self` */
export function pageHeaders(ancestors: readonly string[]): Readonly<Record<string, string>> {
  const sources = ancestors.length === 0 ? ['none'] : ancestors
  const quoted = sources.map((source) => (SELF.includes(source) ? `'${source}'` : source))
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${quoted.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join('; ')
  const frames: Record<string, string> =
    ancestors.length === 0
      ? { 'x-frame-options': 'DENY' }
      : ancestors.every((source) => source === 'self')
        ? { 'x-frame-options': 'SAMEORIGIN' }
        : {}
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...frames
  }
}

/** @param files path below which the files of the entry are served */
export function portalDocument(entry: WebEntry, files: string, page: PortalPage): string {
  const { texts, locale } = page
  return `<!doctype html>
<html lang="${escaped(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="svc-portal" content="${escaped(JSON.stringify(page))}">
<title>${escaped(texts.title)}</title>
<link rel="icon" href="data:,">
${entry.styles.map((file) => `<link rel="stylesheet" href="${files}/${file}">\n`).join('')}${entry.modules
  .map((file) => `<link rel="modulepreload" href="${files}/${file}">\n`)
  .join('')}<script type="module" src="${files}/${entry.script}"></script>
</head>
<body><div id="app"></div><noscript>${escaped(texts.needsScripts)}</noscript></body>
</html>
`
}
