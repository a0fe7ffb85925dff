/** What a template puts into its HTML. */
import t from 'tap'
import { html } from '../../src/templates/html.ts'

t.test('values are text', async (t) => {
  const evil = `<img src=x onerror="a('b')">&`
  t.equal(String(html`<p>${evil}</p>`), '<p>&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</p>')
  t.equal(String(html`<a title="${'" x="'}">${1}</a>`), '<a title="&quot; x=&quot;">1</a>')
  t.equal(String(html`<ul>${['<', html`<li>${'&'}</li>`]}</ul>`), '<ul>&lt;<li>&amp;</li></ul>')
  t.equal(String(html`${null}${undefined}${false}${0}`), '0')
})

t.test('links lead to the web, to mail and to attachments', async (t) => {
  for (const url of ['https://example.org/?a=1', 'mailto:a@example.org', '/a', '?b', 'cid:logo']) {
    t.equal(String(html`<a href="${url}">x</a>`), `<a href="${url}">x</a>`)
  }
  for (const url of [
    'javascript:a()',
    ' JavaScript:a()',
    'java\nscript:a()',
    '\u0001javascript:a()',
    'data:text/html,x'
  ]) {
    t.throws(() => html`<a href="${url}">x</a>`, { code: 'SVC_MAIL_LINK', statusCode: 400 }, JSON.stringify(url))
    t.throws(() => html`<img src='${url}'>`, { code: 'SVC_MAIL_LINK' })
  }
  t.throws(() => html`<a href="${'java\nscript:alert(1)'}">x</a>`, {
    message:
      'a link of the mail begins with "javascript:", expected an http, https, mailto or cid URL, or a relative one'
  })
  t.throws(() => html`<a title="${'secret'}" href=${'x'}>x</a>`, {
    code: 'SVC_MAIL_UNQUOTED',
    message: 'a value inside of a tag needs quotes around it, after: " href='
  })
  t.throws(() => html`<a ${'onclick'}="x">x</a>`, { code: 'SVC_MAIL_UNQUOTED' })
})
