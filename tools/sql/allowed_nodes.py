"""What a statement may consist of: everything that is not named here is refused, whatever a new version can parse."""

from __future__ import annotations

from sqlglot import exp

_SHAPE = (
    "Select Union Intersect Except Subquery CTE With From Join Where Group Having Order Ordered Limit Offset"
    " Table TableAlias Alias Column Identifier Star Distinct Window WindowSpec Filter WithinGroup Tuple"
)
_VALUES = "Literal Null Boolean Paren Case If Cast TryCast DataType DataTypeParam Interval Var"
_OPERATORS = (
    "And Or Not EQ NEQ NullSafeEQ NullSafeNEQ GT GTE LT LTE Between In Like ILike Escape Is Exists"
    " Add Sub Mul Div IntDiv Mod Neg DPipe"
)
_AGGREGATES = (
    "Count CountIf Sum Avg Min Max Median Stddev StddevSamp StddevPop Variance VariancePop GroupConcat"
    " PercentileCont PercentileDisc ArgMax ArgMin AnyValue RowNumber Rank DenseRank Lag Lead FirstValue LastValue"
)
_SCALARS = (
    "Round Abs Floor Ceil Sign Coalesce Nullif Greatest Least Lower Upper Length Trim Substring Left Right Concat"
    " StrPosition Extract DateTrunc TimestampTrunc CurrentDate CurrentTimestamp Date TsOrDsToDate TsOrDsToTimestamp"
    " TimeToStr StrToDate Year Month Day Quarter DateDiff"
)

_TYPES = (
    "BIGINT BOOLEAN CHAR DATE DECIMAL DOUBLE FLOAT INT INTERVAL SMALLINT TEXT TIMESTAMP TIMESTAMPTZ TINYINT VARCHAR"
)
_IN_SQLITE = (
    "abs avg coalesce count date datetime group_concat ifnull iif instr julianday length like lower max min nullif"
    " round row_number rank dense_rank lag lead first_value last_value sign strftime substr substring sum total trim"
    " ltrim rtrim upper floor ceil ceiling concat current_date current_timestamp"
)

NODES: frozenset[type[exp.Expr]] = frozenset(
    getattr(exp, name) for name in f"{_SHAPE} {_VALUES} {_OPERATORS} {_AGGREGATES} {_SCALARS}".split()
)
"""Kinds of nodes, functions with them; each is matched exactly, not by what it derives from."""

NAMED_FUNCTIONS = frozenset({"date_part", "julianday", "ifnull", "make_date", "datetime", "strftime", "date", "total"})
"""Functions that the parser knows by name only. None reads or writes anything, nor makes a long text of a short one."""

TYPES = frozenset(exp.DataType.Type[name] for name in _TYPES.split())
"""That a value may be cast to; not those whose cast looks something up, such as `regclass`."""

FLAGS: dict[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset(
        {"with_", "expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct"}
    ),
    exp.Table: frozenset({"this", "db", "catalog", "alias", "joins"}),
    exp.Join: frozenset({"this", "on", "using", "side", "kind", "method", "joins"}),
    exp.Subquery: frozenset({"this", "alias", "with_", "order", "limit", "offset", "joins"}),
    exp.CTE: frozenset({"this", "alias"}),
    exp.With: frozenset({"expressions"}),
    exp.Star: frozenset(),
    exp.Limit: frozenset({"expression"}),
    exp.Column: frozenset({"this", "table", "db"}),
}
"""What such a node may carry; of others, everything that is a node is checked by its own kind."""

SQLITE_FUNCTIONS = frozenset(_IN_SQLITE.split())
"""That an SQLite connection lets a statement call, whatever the parser made of it."""
