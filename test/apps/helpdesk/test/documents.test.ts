/**
 * The help desk on documents.
 *
 * In a process of its own: the environment says where the data of an application is.
 */
import t from 'tap'
import { documentDatabase } from '../../../support/document-database.ts'
import { HelpDesk } from './help-desk.ts'
import { isolation } from './isolation.ts'
import { journey } from './journey.ts'

t.setTimeout(600_000)

const desk = await HelpDesk.open(t, await documentDatabase(t))
await t.test('from the first sign-up to a deletion', (t) => journey(t, desk))
await t.test('two organisations, and nothing of one for the other', (t) => isolation(t, desk, 60))
