//! The parser of expressions.

mod operators;
mod tag;
mod values;

use super::lex::{Lexer, Token};
use super::meter::{MAX_BRACKETS, MAX_OPERATORS, MAX_SOURCE};
use super::tree::{Expr, ExprKind, Name};
use super::{Mistake, Span, is_blank, refused};

pub use tag::Opening;

/// The maximum depth of nested expressions.
pub const MAX_DEPTH: u16 = 128;

/// Parses an expression. Its first byte is at the offset `at` of the layout file. The spans of the result and of the
/// errors are offsets in the file.
///
/// ```
/// use hud_layout::expr::{ExprKind, parse};
///
/// let expr = parse("state.decisions.length", 0).expect("an expression");
/// assert!(matches!(expr.kind, ExprKind::Path { links, .. } if links.len() == 2));
///
/// let mistakes = parse("state.turn = 1", 0).expect_err("a mistake");
/// assert_eq!(mistakes[0].message, "an expression is one value and changes nothing");
/// ```
///
/// # Errors
///
/// All errors that are found: at least one.
pub fn parse(source: &str, at: usize) -> Result<Expr, Vec<Mistake>> {
    Parser::run(source, at, |parser| {
        parser.advance()?;
        let expr = parser.expr()?;
        match parser.token {
            Token::End => Ok(*expr),
            _ => parser.unexpected("the end of the expression"),
        }
    })
}

/// Parses the content of braces between tags: an expression, or only comments.
///
/// # Errors
///
/// All errors that are found: at least one.
pub fn parse_child(source: &str, at: usize) -> Result<Option<Expr>, Vec<Mistake>> {
    if is_blank(source) {
        return Ok(None);
    }
    parse(source, at).map(Some)
}

/// Parses the opening tag at the start of `source`, whose first byte is at the offset `at` of the layout file. The
/// rest of `source` is ignored.
///
/// ```
/// use hud_layout::expr::parse_opening;
///
/// let opening = parse_opening("<Meter used={3} limit={10} bare /> and more", 0).expect("a tag");
/// assert_eq!(opening.props.len(), 3);
/// assert!(opening.closes_itself);
/// assert_eq!(opening.span.end, 34);
/// ```
///
/// # Errors
///
/// All errors that are found: at least one.
pub fn parse_opening(source: &str, at: usize) -> Result<Opening, Vec<Mistake>> {
    Parser::run(source, at, |parser| {
        if source.starts_with('<') {
            parser.opening()
        } else {
            let span = Span::new(0, source.chars().next().map_or(0, char::len_utf8));
            parser.fail(Mistake::new(span, "a tag begins with `<`"))
        }
    })
}

/// The signal that an error was recorded and that parsing can't continue.
struct Stop;

/// The result of a parsing function. Expressions are boxed, and rare cases have their own functions, which keeps the
/// stack use of each level of brackets small.
type Parsed<T = Box<Expr>> = Result<T, Stop>;

struct Parser<'s> {
    lexer: Lexer<'s>,
    token: Token,
    /// The span of the token, as offsets in the source.
    span: Span,
    /// The end of the token before it.
    before: usize,
    /// The number of open brackets.
    brackets: usize,
    /// The errors, with spans as offsets in the source.
    mistakes: Vec<Mistake>,
    /// The offset of the source in the file.
    offset: usize,
}

impl<'s> Parser<'s> {
    fn run<T>(
        source: &'s str,
        offset: usize,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Result<T, Vec<Mistake>> {
        let mut parser = Self {
            lexer: Lexer { source, at: 0 },
            token: Token::End,
            span: Span::default(),
            before: 0,
            brackets: 0,
            mistakes: Vec::new(),
            offset,
        };
        if source.len() > MAX_SOURCE {
            let message = format!(
                "this has {} bytes, and at most {MAX_SOURCE} are allowed",
                source.len()
            );
            return Err(vec![Mistake::new(Span::new(offset, offset + 1), message)]);
        }
        match read(&mut parser) {
            Ok(read) if parser.mistakes.is_empty() => Ok(read),
            _ => {
                for mistake in &mut parser.mistakes {
                    mistake.span.start += offset;
                    mistake.span.end += offset;
                }
                Err(parser.mistakes)
            }
        }
    }

    fn source(&self) -> &'s str {
        self.lexer.source
    }

    /// Converts a span in the source to one in the file.
    fn placed(&self, span: Span) -> Span {
        Span::new(span.start + self.offset, span.end + self.offset)
    }

    fn make(&mut self, kind: ExprKind, span: Span) -> Parsed {
        let expr = Box::new(Expr::new(kind, self.placed(span)));
        self.check_depth(expr.depth(), span)?;
        Ok(expr)
    }

    /// Converts a span in the file to one in the source.
    fn unplaced(&self, span: Span) -> Span {
        Span::new(span.start - self.offset, span.end - self.offset)
    }

    fn check_depth(&mut self, depth: u16, span: Span) -> Parsed<()> {
        if depth <= MAX_DEPTH {
            return Ok(());
        }
        self.fail(Mistake::new(
            span,
            format!("more than {MAX_DEPTH} expressions are nested here"),
        ))
    }

    fn fail<T>(&mut self, mistake: Mistake) -> Parsed<T> {
        self.mistakes.push(mistake);
        Err(Stop)
    }

    /// Fails with this message.
    fn refuse<T>(&mut self, span: Span, message: &str) -> Parsed<T> {
        self.fail(Mistake::new(span, message))
    }

    fn refuse_with<T>(&mut self, span: Span, message: &str, help: &str) -> Parsed<T> {
        self.fail(Mistake::new(span, message).with_help(help))
    }

    fn advance(&mut self) -> Parsed<()> {
        self.before = self.span.end;
        match self.lexer.next() {
            Ok((token, span)) => {
                self.token = token;
                self.span = span;
                Ok(())
            }
            Err(mistake) => self.fail(mistake),
        }
    }

    /// Continues at the byte `at`.
    fn resume(&mut self, at: usize) -> Parsed<()> {
        self.lexer.at = at;
        self.span.end = at;
        self.advance()
    }

    fn word(&self) -> &'s str {
        &self.source()[self.span.start..self.span.end]
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(own) if own == sign)
    }

    /// Consumes this sign if it is next.
    fn eat(&mut self, sign: &str) -> Parsed<bool> {
        let is = self.is(sign);
        if is {
            self.advance()?;
        }
        Ok(is)
    }

    /// Parses the content of brackets, the first of which is the next token.
    fn nested<T>(&mut self, close: &'static str, read: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let open = self.span;
        self.deeper(open)?;
        self.advance()?;
        let inner = read(self)?;
        self.close_bracket(open, close)?;
        Ok(inner)
    }

    fn close_bracket(&mut self, open: Span, close: &'static str) -> Parsed<()> {
        if self.is(close) {
            self.brackets -= 1;
            return self.advance();
        }
        if self.token == Token::End {
            let bracket = &self.source()[open.start..open.end];
            return self.fail(Mistake::new(
                open,
                format!("`{bracket}` is not closed: write `{close}`"),
            ));
        }
        self.unexpected(&format!("`{close}`"))
    }

    /// Counts an open bracket, and fails if there are too many.
    fn deeper(&mut self, open: Span) -> Parsed<()> {
        self.brackets += 1;
        if self.brackets <= MAX_BRACKETS {
            return Ok(());
        }
        self.fail(Mistake::new(
            open,
            format!("more than {MAX_BRACKETS} brackets are nested here"),
        ))
    }

    /// Fails if there are too many items in a row.
    fn check_row(&mut self, count: usize, what: &str) -> Parsed<()> {
        if count <= MAX_OPERATORS {
            return Ok(());
        }
        self.fail(Mistake::new(
            self.span,
            format!("more than {MAX_OPERATORS} {what} are in a row here"),
        ))
    }

    /// Fails with the error that the next token is not the expected one.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let span = self.span;
        let mistake = match &self.token {
            Token::End => {
                let read = self.source().get(..self.before).unwrap_or_default();
                let last = read.chars().next_back().map_or(0, char::len_utf8);
                Mistake::new(
                    Span::new(self.before - last, self.before),
                    format!("{expected} is missing after this"),
                )
            }
            Token::Sign(sign) => refused::sign(sign, span).unwrap_or_else(|| {
                Mistake::new(span, format!("expected {expected}, found `{sign}`"))
            }),
            Token::Word => refused::word(self.word(), span).unwrap_or_else(|| {
                let word = self.word();
                Mistake::new(span, format!("expected {expected}, found `{word}`"))
            }),
            Token::Number(_) | Token::Text(_) | Token::Template => {
                Mistake::new(span, format!("expected {expected}, found a value"))
            }
        };
        self.fail(mistake)
    }

    /// Parses a name.
    fn name(&mut self, expected: &str) -> Parsed<Name> {
        if self.token != Token::Word {
            return self.unexpected(expected);
        }
        let name = Name {
            text: self.word().into(),
            span: self.placed(self.span),
        };
        self.advance()?;
        Ok(name)
    }
}
