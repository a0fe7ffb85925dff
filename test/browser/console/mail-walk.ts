/** Mails of the outbox in the console: their HTML is seen as it is, and neither runs, nor loads, nor leads anywhere. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { HOSTILE } from './hostile-text.ts'
import type { JobsApp } from './jobs-app.ts'
import { Visitor } from './visitor.ts'

/** 1 x 1 pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Everything by which the HTML of a stranger reaches out. */
const reaching = (outside: string) => `
  <link rel="stylesheet" href="${outside}/style.css"><link rel="preload" as="image" href="${outside}/preload.png">
  <meta http-equiv="refresh" content="0; url=${outside}/refresh">
  <style>@import url(${outside}/import.css); @font-face { font-family: x; src: url(${outside}/font.woff) } p { font-family: x }</style>
  <p style="background: url(${outside}/back.png); color: rgb(1, 2, 3)">canary paragraph</p>
  <img src="cid:logo" alt="logo"><img src="${outside}/pixel.png"><img srcset="${outside}/set.png 2x">
  <script>parent.canary = 1; top.canary = 1; fetch('${outside}/fetch')</script><img src=x onerror="parent.canary = 1">
  <iframe src="${outside}/frame"></iframe><object data="${outside}/object"></object><embed src="${outside}/embed">
  <video src="${outside}/video" poster="${outside}/poster.png" autoplay></video>
  <form action="${outside}/form"><button>Send</button></form>
  <a href="${outside}/link" target="_top">To the top</a><a href="${outside}/link">In the frame</a>
  <a href="javascript:parent.canary=1">Script</a>`

export async function mailWalk(t: Test, browser: Browser, { app, origin }: JobsApp): Promise<void> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const outside = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const visitor = await Visitor.open(t, browser, origin)
  const { page } = visitor

  await t.test('an empty outbox; then a mail with its text and its heads', async (t) => {
    await visitor.goto('/mail')
    await visitor.signIn()
    await page.getByText('No mail was sent yet.').waitFor()
    t.strictSame(await visitor.violations(), [])
    const subject = `Hello ${HOSTILE[1]}`
    const attachments = [{ filename: `${HOSTILE[0]}.txt`, content: 'four' }]
    await app.mail.send({
      to: 'Ada <ada@example.org>',
      bcc: 'eve@example.org',
      subject,
      text: HOSTILE.join('\n'),
      attachments
    })
    await app.mail.outbox.next()
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByRole('link', { name: subject }).waitFor()
    t.strictSame(await visitor.violations(), [])
    await page.getByRole('link', { name: subject }).click()
    await page.getByText('Ada <ada@example.org>').waitFor()
    await page.getByText('eve@example.org').waitFor()
    await page
      .getByText(HOSTILE[0] ?? '')
      .first()
      .waitFor()
    await page.getByText('type by its name, 4 bytes').waitFor()
    t.equal(await page.locator('iframe').count(), 0, 'it has no HTML')
    t.strictSame(await visitor.violations(), [])
    t.strictSame(visitor.complaints, [])
  })

  await t.test('the HTML of a mail does nothing', async (t) => {
    await app.mail.send({
      to: 'bob@example.org',
      subject: 'Offer',
      text: 'plain',
      html: reaching(outside),
      attachments: [{ filename: 'logo.gif', contentType: 'image/gif', content: PIXEL, cid: 'logo' }]
    })
    await app.mail.outbox.next({ subject: 'Offer' })
    await visitor.goto('/mail?to=bob@example.org')
    await page.getByText('1 mail', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Offer' }).click()
    const frame = page.frameLocator('iframe[title="HTML of the mail"]')
    const paragraph = frame.getByText('canary paragraph')
    await paragraph.waitFor()
    t.strictSame(await visitor.violations(), [])
    const address = page.url()
    await frame.getByText('In the frame').click()
    await frame
      .getByText('In the frame')
      .waitFor({ state: 'detached' })
      .catch(() => undefined)
    await visitor.goto(new URL(address).pathname.replace('/svc/console', ''))
    await paragraph.waitFor()
    for (const name of ['To the top', 'Script', 'Send']) await frame.getByText(name).click()
    t.equal(page.url(), address, 'the page stays where it is')
    t.equal(await page.evaluate('window.canary'), undefined)
    t.strictSame(hits, [], 'nothing is asked of another host')
    const said = visitor.complaints.splice(0)
    t.ok(
      said.length > 0 && said.every((text) => /Content Security Policy|sandboxed|Blocked/.test(text)),
      said.join('\n')
    )
    t.strictSame(await visitor.violations(), [])
  })

  await t.test('the HTML as an address of its own does nothing either', async (t) => {
    const number = app.mail.outbox.list({ subject: 'Offer' })[0]?.number
    await page.goto(`${origin}/svc/mail/api/outbox/${number}/html`)
    await page.getByText('canary paragraph').waitFor()
    // Styles of its own, and the image that it brings, are shown.
    const colour = await page.evaluate(`getComputedStyle(document.querySelector('p')).color`)
    t.equal(colour, 'rgb(1, 2, 3)')
    t.equal(await page.getByAltText('logo').evaluate((image: { naturalWidth: number }) => image.naturalWidth), 1)
    t.strictSame(hits, [])
    visitor.complaints.splice(0)
    await visitor.goto('/mail/99')
    await page.getByRole('alert').getByText('SVC_MAIL_NOT_FOUND').waitFor()
    t.match(visitor.complaints.splice(0), [/404/])
  })
}
