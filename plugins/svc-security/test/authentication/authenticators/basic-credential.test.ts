/** `Authorization: Basic`, strictly (RFC 7617). */
import t from 'tap'
import { isBasic, readBasic } from '../../../src/authentication/authenticators/userpassword-authenticator.ts'

const basic = (text: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(text, encoding).toString('base64')}`

const rows: Array<[title: string, header: string | undefined, expected: object | null]> = [
  ['plain', basic('alice:secret'), { identifier: 'alice', password: 'secret' }],
  ['colons in the password', basic('alice:a:b:c'), { identifier: 'alice', password: 'a:b:c' }],
  ['upper case', basic('alice:x').replace('Basic', 'BASIC'), { identifier: 'alice', password: 'x' }],
  ['mixed case', basic('alice:x').replace('Basic', 'bAsIc'), { identifier: 'alice', password: 'x' }],
  ['UTF-8', basic('żółw:pässwörd€'), { identifier: 'żółw', password: 'pässwörd€' }],
  ['no padding', 'Basic YWxpY2U6eA', { identifier: 'alice', password: 'x' }],
  ['full padding', 'Basic YWxpY2U6eA==', { identifier: 'alice', password: 'x' }],
  ['empty password', basic('alice:'), { identifier: 'alice', password: '' }],
  ['several blanks', 'Basic   YWxpY2U6eA==', { identifier: 'alice', password: 'x' }],
  ['half padding', 'Basic YWxpY2U6eA=', null],
  ['bits left over', 'Basic YWxpY2U6eB==', null],
  ['ISO-8859-1', basic('żółw:pässwörd', 'latin1'), null],
  ['a blank within', 'Basic YWxp Y2U6eA==', null],
  ['junk behind', 'Basic YWxpY2U6eA==!', null],
  ['base64url', 'Basic YWxpY2U6_-8=', null],
  ['no colon', basic('alice'), null],
  ['no name', basic(':secret'), null],
  ['a NUL', basic('alice\0:x'), null],
  ['a line break', basic('alice:x\r\ny'), null],
  ['a byte order mark is part of the name', basic('\ufeffalice:x'), { identifier: '\ufeffalice', password: 'x' }],
  ['nothing', 'Basic', null],
  ['nothing but a blank', 'Basic ', null],
  ['another scheme', 'Bearer YWxpY2U6eA==', null],
  ['absent', undefined, null]
]
for (const [title, header, expected] of rows) {
  t.test(title, async (t) => t.strictSame(readBasic(header), expected))
}

t.test('every byte behind the scheme is read or refused, never thrown', async (t) => {
  for (let byte = 0; byte < 256; byte += 1) {
    t.doesNotThrow(() => readBasic(`Basic ${String.fromCharCode(byte)}`))
    t.doesNotThrow(() => readBasic(`Basic ${Buffer.from([byte, 0x3a, byte]).toString('base64')}`))
  }
})

t.test('who speaks the scheme', async (t) => {
  t.strictSame(
    ['Basic', 'basic x', 'BASIC ', 'Basicx', 'Bearer x', undefined].map((header) => isBasic(header)),
    [true, true, true, false, false, false]
  )
})
