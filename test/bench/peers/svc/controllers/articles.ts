/** A body that a schema checks, which comes back. */
import { Body, controller, Post } from 'svc-decorators'
import { articleSchema } from '../../../http/article-schema.ts'

@controller('/public/articles')
export class ArticlesController {
  @Post('', { schema: articleSchema })
  create(@Body() article: unknown): unknown {
    return article
  }
}
