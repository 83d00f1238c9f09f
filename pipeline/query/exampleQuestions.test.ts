import { describe, expect, it } from 'vitest';
import { exampleQuestions, questionNamed } from './exampleQuestions.ts';

describe('the questions of data/sql/examples', () => {
  it('are each asked in a sentence, with how to read the answer and one statement', async () => {
    const questions = await exampleQuestions();
    expect(questions.length).toBeGreaterThan(20);
    for (const { name, question, reading, sql } of questions) {
      expect(question, name).toMatch(/^[A-Z].{20,110}\?$/);
      expect(reading, name).toMatch(/^.{30,}\.$/);
      expect(sql, name).toMatch(/^(?:SELECT|WITH) [^;]+;\n$/);
    }
  });

  it('are found by name, and a name that is none is answered with all of them', async () => {
    expect((await questionNamed('margin-calls')).question).toBe(
      'Which loans against coins are nearest to a margin call?',
    );
    await expect(questionNamed('margin')).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no example named margin.',
      hint: expect.stringContaining('margin-calls, months-of-cash, most-stressed'),
    });
  });
});
