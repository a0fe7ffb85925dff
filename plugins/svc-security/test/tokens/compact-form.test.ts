/** The compact form by its shape, and the header that tokens of ours begin with. */
import t from 'tap'
import {
  headerOf,
  headerTextOf,
  isCanonicallySigned,
  isCompact,
  ownHeaderText
} from '../../src/tokens/access-token-form.ts'
import { tokenWorld } from '../support/token-world.ts'

const shapes: ReadonlyArray<[text: string, compact: boolean]> = [
  ['a.b.c', true],
  ['a-_Z9.b.c', true],
  ['a.b', false],
  ['a.b.c.d', false],
  ['a..c', false],
  ['a.b.c=', false],
  ['a.b.c\n', false],
  ['', false]
]

for (const [text, compact] of shapes) {
  t.test(`${JSON.stringify(text)}: ${compact ? 'compact' : 'not compact'}`, async (t) => {
    t.equal(isCompact(text), compact)
  })
}

const signatures: ReadonlyArray<[title: string, signature: string, canonical: boolean]> = [
  ['the only spelling', `${'x'.repeat(85)}A`, true],
  ['unused bits set', `${'x'.repeat(85)}B`, false],
  ['too short', `${'x'.repeat(84)}A`, false],
  ['too long', `${'x'.repeat(86)}A`, false]
]

for (const [title, signature, canonical] of signatures) {
  t.test(`signature, ${title}`, async (t) => {
    t.equal(isCanonicallySigned(`a.b.${signature}`), canonical)
  })
}

const part = (text: string) => Buffer.from(text).toString('base64url')

const headers: ReadonlyArray<[text: string, kid: string | null, critical: boolean]> = [
  ['{"kid":"k"}', 'k', false],
  ['{"kid":7}', null, false],
  ['{"kid":"k","crit":[]}', 'k', true],
  ['null', null, false],
  ['{', null, false]
]

for (const [text, kid, critical] of headers) {
  t.test(`header ${text}`, async (t) => {
    t.same(headerOf(`${part(text)}.b.c`), { kid, critical })
  })
}

t.test('a token that we sign begins with the header we know undecoded, which says what it would decoded', async (t) => {
  const world = tokenWorld()
  const { kid } = world.key
  const { accessToken } = await world.tokens.issue({ identifier: 'alice' })
  t.equal(headerTextOf(accessToken), ownHeaderText(kid))
  t.same(headerOf(`${ownHeaderText(kid)}.b.c`), { kid, critical: false })
})
