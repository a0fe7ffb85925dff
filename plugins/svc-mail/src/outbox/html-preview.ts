/**
 * The HTML of a mail as a page for a frame of this application, with the images that the mail brings. Whatever the HTML
 * holds, no script runs, no form is sent and nothing is loaded: the headers say so, and the HTML itself stays as it is.
 */
import type { StoredMail } from '../messages/message.ts'

const CONTENT_POLICY = [
  // Its origin is none of ours, and it opens no other page.
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'"
].join('; ')

export const PREVIEW_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_POLICY,
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Names of hosts in links are not looked up.
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'SAMEORIGIN'
}

/** Characters of all images together: a mail may name one of them many times. */
const MOST_IMAGES = 16_000_000

/** Puts each image in the place of the `cid:` that names it. Pure. */
export function withImages(html: string, attachments: StoredMail['attachments']): string {
  const images = new Map(
    attachments.flatMap(({ cid, contentType, base64 }) =>
      cid === null ? [] : [[cid, `data:${contentType ?? 'application/octet-stream'};base64,${base64}`] as const]
    )
  )
  let left = MOST_IMAGES
  return html.replace(/(["'(]\s*)cid:([\w.@-]+)/g, (whole, before: string, cid: string) => {
    const image = images.get(cid)
    left -= image?.length ?? 0
    return image === undefined || left < 0 ? whole : before + image
  })
}
