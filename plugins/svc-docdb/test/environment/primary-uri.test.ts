/** Which variable names the database, and what is told when it does not. */
import { BootError } from 'svc-kernel'
import t from 'tap'
import { primaryUri, unusedAddress } from '../../src/environment/primary-uri.ts'

const DOCUMENTS = 'mongodb://h/a'
const SQL = 'postgres://h/a'

const rows: [what: string, env: Record<string, string>, expected: object | null][] = [
  ['nothing', {}, null],
  ['its own', { DOCDB_URI: DOCUMENTS }, { uri: DOCUMENTS, variable: 'DOCDB_URI' }],
  ['its own, empty', { DOCDB_URI: '', SVC_DATABASE_URL: DOCUMENTS }, { uri: DOCUMENTS, variable: 'SVC_DATABASE_URL' }],
  ['its own before the shared one', { DOCDB_URI: DOCUMENTS, SVC_DATABASE_URL: 'mongodb://x/y' }, { uri: DOCUMENTS }],
  ['the shared one', { SVC_DATABASE_URL: 'mongodb+srv://h/a' }, { uri: 'mongodb+srv://h/a' }],
  ['a shared one of SQL', { SVC_DATABASE_URL: SQL }, null]
]

for (const [what, env, expected] of rows) {
  t.test(what, async (t) => {
    if (expected === null) t.equal(primaryUri(env), null)
    else t.match(primaryUri(env), expected)
  })
}

const BLANKS = ['mongodb://my host:27017/a', 'mongodb://h/a ', 'mongodb://h/a b', 'mongodb://user:secret@h\n/a']

for (const blank of BLANKS) {
  t.test(`D10: a blank in an address is refused: ${JSON.stringify(blank)}`, async (t) => {
    const refused = catchError(() => primaryUri({ DOCDB_URI: blank }))
    t.match(refused?.problems, [
      { code: 'SVC_DOCDB_URI', at: 'env DOCDB_URI', got: 'mongodb://..., with a blank in it' }
    ])
    t.notMatch(String(refused), /secret/)
    const shared = catchError(() => primaryUri({ SVC_DATABASE_URL: blank }))
    t.match(shared?.problems, [{ code: 'SVC_DOCDB_URI', at: 'env SVC_DATABASE_URL' }], 'U11: nor is it set aside')
  })
}

t.test('U11: an address of another kind is said to be unused, without what it holds', async (t) => {
  const unused = (SVC_DATABASE_URL: string) => unusedAddress({ SVC_DATABASE_URL })
  t.match(unused('postgres://user:secret@h/a'), { code: 'SVC_DOCDB_URL_UNUSED', scheme: 'postgres:' })
  t.match(unused('sqlite:data/app.db'), { scheme: 'sqlite:' })
  t.match(unused('h/a'), { scheme: 'none' })
  t.equal(unused(DOCUMENTS), null)
  t.equal(unused(''), null)
  t.equal(unusedAddress({ DOCDB_URI: DOCUMENTS, SVC_DATABASE_URL: SQL }), null, 'the other one decides')
})

function catchError(call: () => unknown): BootError | null {
  try {
    call()
    return null
  } catch (error) {
    return error as BootError
  }
}

for (const wrong of [SQL, 'localhost:27017', 'mongodb://', 'postgres://user:secret@h/a']) {
  t.test(`refused: ${wrong}`, async (t) => {
    try {
      primaryUri({ DOCDB_URI: wrong })
      t.fail('it was taken')
    } catch (error) {
      t.ok(error instanceof BootError)
      const [problem] = (error as BootError).problems
      t.match(problem, { code: 'SVC_DOCDB_URI', at: 'env DOCDB_URI' })
      t.notMatch(JSON.stringify(problem), /secret/)
    }
  })
}
