/**
 * The conformance suite on the embedded engine, or on the one that DOCDB_TEST_URI names. For an engine whose
 * differences are known, DOCDB_TEST_ENGINE says which it is.
 */
import t from 'tap'
import { startDocumentEngine } from '../src/index.ts'
import { type Differences, DOCUMENTDB, EMBEDDED } from './conformance/differences.ts'
import { engineConformance } from './conformance/engine-conformance.ts'

const KNOWN: Readonly<Record<string, Differences>> = { documentdb: DOCUMENTDB }

const { DOCDB_TEST_URI: uri, DOCDB_TEST_ENGINE: engineName = 'mongodb' } = process.env

if (uri === undefined) {
  t.test('the embedded engine', async (t) => {
    const engine = await startDocumentEngine()
    t.teardown(() => engine.close())
    await engineConformance(t, engine.uri, EMBEDDED)
  })
} else {
  t.test(`the engine of DOCDB_TEST_URI, as ${engineName}`, (t) => engineConformance(t, uri, KNOWN[engineName] ?? {}))
}
