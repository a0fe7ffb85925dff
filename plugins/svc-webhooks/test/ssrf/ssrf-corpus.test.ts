/** Every URL of the corpus, at registration: what is to be refused is refused, what is public passes. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import t from 'tap'
import { SsrfError } from '../../src/ssrf/ssrf-error.ts'
import { assertUrlAllowed } from '../../src/ssrf/url-guard.ts'

interface Entry {
  readonly url: string
  readonly expect: 'refuse' | 'allow'
  readonly reason: string
  /** What the name resolves to; there is no such name where absent. */
  readonly resolvesTo?: readonly string[]
  readonly allowHttp?: boolean
}

const published = new URL('../../../../../test/vectors/ssrf-corpus.json', import.meta.url)
const corpus = JSON.parse(readFileSync(published, 'utf8')) as Entry[]

t.ok(corpus.length >= 200)

for (const { url, expect, reason, resolvesTo, allowHttp = false } of corpus) {
  const lookup = async () => {
    if (resolvesTo === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    return resolvesTo.map((address) => ({ address, family: isIP(address) }))
  }
  t.test(`${expect} ${JSON.stringify(url)}: ${reason}`, async (t) => {
    const check = assertUrlAllowed(url, { allowHttp, lookup })
    if (expect === 'refuse') {
      await t.rejects(check, SsrfError)
      return
    }
    const target = await check
    t.ok(target.addresses.length > 0)
    t.equal(new URL(target.url.href).href, target.url.href, 'the normal form is stable')
  })
}
