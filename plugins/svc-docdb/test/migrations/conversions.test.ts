/** What becomes of a value when its field gets another type: the table of svc-orm, on documents. */
import { compareConversions } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { documentSubject } from '../support/migration-subject.ts'

t.test(
  'M1: a value becomes one of its new type, or the migration stops and names the document',
  { timeout: 120_000 },
  async (t) => {
    await compareConversions(await documentSubject(t))
  }
)
