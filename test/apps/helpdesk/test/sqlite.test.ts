/**
 * The help desk on SQLite.
 *
 * In a process of its own: the environment says where the data of an application is.
 */
import t from 'tap'
import { HelpDesk } from './help-desk.ts'
import { journey } from './journey.ts'

await journey(t, await HelpDesk.open(t, 'sqlite'))
