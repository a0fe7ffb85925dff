/** Mails of accounts: their languages, what is put into them, and what the application replaces. */
import type { NewMail } from 'svc-mail'
import t from 'tap'
import { AccountMails, type AccountMailsParts } from '../../src/mails/account-mails.ts'
import { en } from '../../src/mails/texts.ts'
import { de } from '../../src/mails/texts-de.ts'

function mails(parts: Partial<AccountMailsParts> = {}) {
  const sent: NewMail[] = []
  const mail = { send: async (given: NewMail) => void sent.push(given) } as never
  const link = (purpose: string, token: string) => `https://shop.example.org/${purpose}#${token}`
  return { sent, mails: new AccountMails({ mail, mails: {}, texts: {}, link, locale: 'en', ...parts }) }
}

t.test('every language has every text, and names the address and the link where the other does', async (t) => {
  t.strictSame(Object.keys(de), Object.keys(en))
  for (const [kind, text] of Object.entries(de)) {
    const other = en[kind as keyof typeof en]
    t.equal(text.lead.includes('{address}'), other.lead.includes('{address}'), kind)
    t.equal(text.action === null, other.action === null, kind)
    t.not(text.subject, other.subject, kind)
  }
})

t.test('a mail is in the language of its account, or in that of the application', async (t) => {
  const { sent, mails: english } = mails()
  for (const locale of ['de', 'en', 'fr', null, '__proto__']) {
    await english.send('reset', { to: 'ada@example.org', locale, token: ['reset', 'abc'] })
  }
  const subjects = sent.map(({ subject }) => subject)
  t.strictSame(subjects, [de.reset.subject, ...Array.from({ length: 4 }, () => en.reset.subject)])
  t.match(sent[0], { to: 'ada@example.org', text: 'https://shop.example.org/reset#abc' })
})

t.test('what is put into HTML is text, and what replaces a pattern is no pattern', async (t) => {
  const { sent, mails: some } = mails()
  const address = `"<b>$&"@example.org`
  await some.send('moved', { to: 'ada@example.org', address, locale: null })
  t.match(String(sent[0]?.html), '&quot;&lt;b&gt;$&amp;&quot;@example.org')
  t.match(sent[0]?.text, address)
})

t.test('the application adds languages, and makes mails itself', async (t) => {
  const fr = { ...en, password: { ...en.password, subject: 'Votre mot de passe' } }
  const { sent, mails: own } = mails({
    texts: { fr },
    mails: { reset: ({ address, link, locale }) => ({ subject: locale, text: `${address} ${link}` }) }
  })
  await own.send('password', { to: 'ada@example.org', locale: 'fr' })
  await own.send('reset', { to: 'ada@example.org', locale: 'fr', token: ['reset', 'abc'] })
  t.match(sent, [
    { subject: 'Votre mot de passe' },
    { subject: 'fr', text: 'ada@example.org https://shop.example.org/reset#abc' }
  ])
})
