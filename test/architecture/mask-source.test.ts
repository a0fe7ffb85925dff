/** Masking keeps every offset and hides exactly what is not code. */
import t from 'tap'
import { maskSource } from './mask-source.ts'

const rows: [what: string, source: string, code: string][] = [
  ['a line comment', 'a // b\nc', 'a     \nc'],
  ['a block comment over lines', 'a /* b\n c */ d', 'a     \n      d'],
  ['a string', "f('a // b')", "f('      ')"],
  ['an escaped quote', String.raw`f('a\'b', c)`, "f('    ', c)"],
  ['a comment that looks like a string', "// it's\nx", '       \nx'],
  ['a regular expression with a quote', 'const a = /[\'"`]/g; b', 'const a =         ; b'],
  ['a regular expression with a slash in a class', 'x(/[/]/)', 'x(     )'],
  ['a division', 'a / b / c', 'a / b / c'],
  ['a template', 'a`b // c`d', 'a`      `d'],
  ['a substitution', `\`a \${b('c')} d\``, `\`  \${b(' ')}  \``],
  ['an object in a substitution', '`${{ a: 1 }} x`; y', '`${{ a: 1 }}  `; y'],
  ['a template in a template', '`a${`b${c}`}d`; e', '` ${` ${c}`} `; e'],
  ['a dollar that substitutes nothing', '`$a`', '`  `']
]

for (const [what, source, code] of rows) {
  t.test(what, async (t) => {
    const masked = maskSource(source)
    t.equal(masked.code, code)
    t.equal(masked.code.length, source.length)
    t.equal(masked.withoutComments.length, source.length)
  })
}

t.test('strings stay where only comments are removed', async (t) => {
  t.equal(maskSource("a('SVC_X') // SVC_Y").withoutComments, "a('SVC_X')         ")
})
