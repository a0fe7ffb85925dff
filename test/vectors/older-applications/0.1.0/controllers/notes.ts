/** notes over REST; reads answer over WebSocket, too. Whoever the zone lets in may write: @IsGranted guards a method. */
import { Body, Ctx, controller, Delete, Get, type HttpContext, Param, Patch, Post, Put, Query, WebSocket } from 'svc-decorators'
import { type Changes, type CrudQuery, crud, type NewOf, type OrmPort, type RowOf } from 'svc-orm'
import { Note } from '../entities/note.ts'

const path = '/api/notes'
const { routes, page, found, whole } = crud(Note)

@controller(path)
export class NotesController {
  readonly #notes

  constructor({ orm }: { orm: OrmPort }) {
    this.#notes = orm.repository(Note)
  }

  @Get('/', routes.list)
  @WebSocket('/', routes.list)
  list(@Query() query: CrudQuery) {
    return page(this.#notes, query)
  }

  @Get('/:id', routes.read)
  @WebSocket('/:id', routes.read)
  async read(@Param('id') id: string) {
    return found(await this.#notes.findOne({ id }))
  }

  @Post('/', routes.create)
  async create(@Body() values: NewOf<typeof Note>, @Ctx() { reply }: HttpContext) {
    const row = await this.#notes.create(values)
    reply.code(201).header('location', `${path}/${row.id}`)
    return row
  }

  @Put('/:id', routes.replace)
  async replace(@Param('id') id: string, @Body() values: NewOf<typeof Note>) {
    return found(await this.#notes.updateOne({ id }, whole(values)))
  }

  @Patch('/:id', routes.change)
  async change(@Param('id') id: string, @Body() changes: Changes<RowOf<typeof Note>>) {
    return found(await this.#notes.updateOne({ id }, changes))
  }

  @Delete('/:id', routes.remove)
  async remove(@Param('id') id: string) {
    found(await this.#notes.findOneAndDelete({ id }))
  }
}
