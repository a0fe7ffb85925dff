/** Imports before and after, written by hand; each is parsed as the command parses it. */
import t from 'tap'
import { parseSync } from 'vite'
import type { ParsedModule } from '../../src/application/vite.ts'
import { moveImports } from '../../src/upgrade/move-imports.ts'

const rows: Array<[name: string, before: string, after: string]> = [
  ['nothing moved', "import { user } from 'svc-kernel'\n", "import { user } from 'svc-kernel'\n"],
  [
    'all names of an import',
    "import { serve } from 'svc-kernel'\nserve()\n",
    "import { serve } from 'svc-host'\nserve()\n"
  ],
  [
    'some names of an import, in its style',
    'import { serve, currentUser } from "svc-kernel";\n',
    'import { currentUser } from "svc-kernel";\nimport { serve } from "svc-host";\n'
  ],
  [
    'types stay types',
    "import { serve, type SvcConfig } from 'svc-kernel'\nimport type { ModuleEntry } from 'svc-kernel'\n",
    "import { serve, type SvcConfig, type ModuleEntry } from 'svc-host'\n"
  ],
  [
    'an import of the new place takes the names in',
    "import { banner } from 'svc-host'\nimport { serve as run } from 'svc-kernel'\n",
    "import { banner, serve as run } from 'svc-host'\n"
  ],
  [
    'a renamed export keeps its local name',
    "import { Vote, type Ballot } from 'svc-security'\n",
    "import { Vote, type VoteResult as Ballot } from 'svc-security'\n"
  ],
  [
    'a default beside names stays where it is',
    "import svcSecurity, { rotateKeys } from 'svc-security'\n",
    "import svcSecurity from 'svc-security'\nimport { rotateKeys } from 'svc-security/host'\n"
  ],
  [
    'several places from one import',
    "import { type UserStore, storeOption, type AuditStore } from 'svc-stores'\n",
    "import type { UserStore } from 'svc-security/stores'\nimport { storeOption } from 'svc-stores/options'\nimport type { AuditStore } from 'svc-audit'\n"
  ],
  [
    'a name of the same spelling elsewhere',
    "import { serve } from './serve.ts'\n",
    "import { serve } from './serve.ts'\n"
  ],
  [
    'a removed name is left for its author',
    "import { memoryConnector } from 'svc-orm'\n",
    "import { memoryConnector } from 'svc-orm'\n"
  ]
]

const movedIn = (text: string) => moveImports(text, parseSync('a.ts', text).module as unknown as ParsedModule)

for (const [name, before, after] of rows) {
  t.test(name, async (t) => {
    t.equal(movedIn(before).text, after)
    t.equal(movedIn(after).text, after, 'and once is enough')
  })
}

t.test('a long list of names is broken as a formatter does it', async (t) => {
  const names = [
    'application',
    'checkConfig',
    'createServer',
    'defineConfig',
    'httpsCertificate',
    'loadModules',
    'readEnv',
    'serve'
  ]
  const { text } = movedIn(`import { ${names.join(', ')} } from 'svc-kernel'\n`)
  t.equal(text, `import {\n  ${names.join(',\n  ')}\n} from 'svc-host'\n`)
})

t.test('what is left to its author is named with its line', async (t) => {
  const { moved, added } = movedIn("\nimport { memoryConnector } from 'svc-orm'\nexport { serve } from 'svc-kernel'\n")
  t.match(moved, [
    { line: 2, name: 'memoryConnector', rewritten: false, move: { instead: /memoryDatabase/ } },
    { line: 3, name: 'serve', rewritten: false, move: { to: 'svc-host' } }
  ])
  t.strictSame(added, [])
  t.strictSame(movedIn("import { serve } from 'svc-kernel'\n").added, ['svc-host'])
})
