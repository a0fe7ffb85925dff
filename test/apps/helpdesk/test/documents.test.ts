/**
 * The help desk on documents.
 *
 * In a process of its own: the environment says where the data of an application is.
 */
import t from 'tap'
import { documentDatabase } from '../../../support/document-database.ts'
import { HelpDesk } from './help-desk.ts'
import { journey } from './journey.ts'

t.setTimeout(240_000)

await journey(t, await HelpDesk.open(t, await documentDatabase(t)))
