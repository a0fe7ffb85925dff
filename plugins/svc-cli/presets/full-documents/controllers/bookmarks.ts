/** Bookmarks over REST. They are kept by a Typegoose class, and read and written as every entity is. */
import { Body, controller, Get, Post } from 'svc-decorators'
import type { OrmPort } from 'svc-orm'
import { Bookmark, type BookmarkRow } from '../entities/bookmark.ts'

const body = {
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: { url: { type: 'string', format: 'uri' }, title: { type: 'string' } }
} as const

@controller('/api/bookmarks')
export class BookmarksController {
  readonly #bookmarks

  constructor({ orm }: { orm: OrmPort }) {
    this.#bookmarks = orm.repository<BookmarkRow>(Bookmark.name)
  }

  @Get('/')
  async list() {
    return { items: await this.#bookmarks.find({}, { limit: 100, order: [['createdAt', 'DESC']] }) }
  }

  @Post('/', { body })
  add(@Body() bookmark: Pick<BookmarkRow, 'url' | 'title'>) {
    return this.#bookmarks.create(bookmark)
  }
}
