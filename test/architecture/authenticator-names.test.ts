/** What a credential is, says its authenticator: no list of names, and no comparison with one, decides it anywhere else. */
import t from 'tap'
import { describeFindings, type Finding, lineAt } from './finding.ts'
import { maskSource } from './mask-source.ts'
import { noFindings } from './no-findings.ts'
import { readFiles, type SourceFile } from './repository.ts'

const NAMES = new Set(['session', 'userpassword', 'jwt', 'apikey', 'anonymous', 'oauth2', 'mtls', 'agent'])

const TEXTS = /'([^'\n]*)'|"([^"\n]*)"/g

/** The authenticators themselves, the makers of their tokens, and the one list that the contract names. */
const THEIR_OWN =
  /^plugins\/(?:svc-security\/src\/(?:authentication\/authenticators|tokens|api-keys|token-store|conformance)\/|svc-kernel\/src\/identity\/proof-kind\.ts$)/

/** A list is one of names where most of its texts are. `anonymous` alone is the visitor, no kind of credential. */
function namesDecide(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !THEIR_OWN.test(path))
    .flatMap(({ path, text }) => {
      const { code, withoutComments } = maskSource(text)
      const lists = [...withoutComments.matchAll(/\[[^[\]]*\]/g)].filter(({ 0: list, index }) => {
        // A list that a message shows is no list.
        if (code[index] !== '[') return false
        const texts = [...list.matchAll(TEXTS)].map(([, single, double]) => single ?? double ?? '')
        const names = texts.filter((name) => NAMES.has(name))
        return names.length > 1 && names.length * 2 > texts.length
      })
      const compared = [...withoutComments.matchAll(/\b(?:type|name|authenticator)\s*[!=]==\s*'(\w+)'/g)].filter(
        ([, name = '']) => NAMES.has(name) && name !== 'anonymous'
      )
      return [...lists, ...compared].map(({ 0: found, index }) => ({
        path,
        line: lineAt(text, index),
        problem: `knows authenticators by name: ${found.replace(/\s+/g, ' ')}`,
        fix: 'read what the authenticator says: token.proof, needs, openapi'
      }))
    })
}

t.test('H3: what would be found', async (t) => {
  const at = (path: string, text: string): SourceFile => ({ path, text })
  const found = describeFindings(
    namesDecide([
      at('plugins/svc-x/src/a.ts', "const AMBIENT = new Set(['session', 'userpassword'])"),
      at('plugins/svc-x/src/b.ts', 'const OF = [\n  "jwt",\n  "apikey"\n]'),
      at('plugins/svc-x/src/c.ts', "if (token.type === 'session') return"),
      at('plugins/svc-x/src/d.ts', "const SECTIONS = ['session', 'users', 'passwords', 'jwt']"),
      at('plugins/svc-x/src/e.ts', "if (token.type === 'anonymous') return"),
      at('plugins/svc-security/src/authentication/authenticators/x.ts', "['session', 'jwt']")
    ])
  )
  t.match(found, [/a\.ts.*userpassword/, /b\.ts.*apikey/, /c\.ts.*session/])
  t.equal(found.length, 3)
})

t.test('H3: nothing but an authenticator knows authenticators by name', async (t) => {
  noFindings(t, namesDecide(readFiles('plugins/*/src/**/*.ts')), 'sources')
})
