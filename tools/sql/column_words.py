# ruff: noqa: E501 - word lists are read in one piece
"""Chinese words for the English words of which tables and columns are commonly named (region, order_date)."""

from __future__ import annotations

import re
from itertools import product

from ...knowledge.text.normalise import has_chinese
from .models import Table

_WORDS = {
    "address": "地址", "age": "年龄", "amount": "金额", "area": "区域 面积", "balance": "余额", "branch": "分公司 分行",
    "brand": "品牌", "budget": "预算", "category": "类别 品类", "channel": "渠道", "city": "城市", "client": "客户",
    "company": "公司", "contract": "合同", "cost": "成本 费用", "country": "国家", "count": "数量", "customer": "客户",
    "date": "日期", "day": "日期", "department": "部门", "dept": "部门", "device": "设备", "discount": "折扣",
    "employee": "员工", "equipment": "设备", "expense": "费用 支出", "factory": "工厂", "fee": "费用", "gender": "性别",
    "grade": "等级", "headcount": "人数", "income": "收入", "inventory": "库存", "invoice": "发票", "item": "物料 货品",
    "level": "等级", "location": "地点", "machine": "机器 设备", "manager": "经理 负责人", "manufacturer": "厂家",
    "material": "材料 物料", "model": "型号", "month": "月份", "name": "名称", "order": "订单", "payment": "付款",
    "plant": "工厂", "position": "职位", "price": "价格 单价", "product": "产品 商品", "profit": "利润",
    "project": "项目", "province": "省份", "qty": "数量", "quantity": "数量", "quarter": "季度", "rate": "比率",
    "region": "地区 区域 大区", "revenue": "营收 收入 营业收入", "salary": "工资 薪资", "sale": "销售", "sales": "销售额 销售",
    "shop": "门店", "staff": "人员", "status": "状态", "stock": "库存", "store": "门店", "supplier": "供应商", "tax": "税额",
    "team": "团队", "temperature": "温度", "type": "类型", "vendor": "供应商", "volume": "体积 销量", "wage": "工资",
    "warehouse": "仓库", "weight": "重量", "year": "年份 年度",
}  # fmt: skip
_PART = re.compile(r"[A-Za-z]+")
_MOST_WORDS = 3


def chinese_names(name: str) -> tuple[str, ...]:
    """What a name of English words may be called in Chinese; empty where a word of it is not known.

    Args:
        name: of a table or column, such as `order_date` or `Orders`.
    """
    words = [word.casefold() for word in _PART.findall(name)]
    if has_chinese(name) or not 0 < len(words) <= _MOST_WORDS:
        return ()
    known = [_known(word) for word in words]
    return tuple("".join(one) for one in product(*known)) if all(known) else ()


def with_chinese_names(table: Table) -> Table:
    """The table with Chinese names for columns that are not declared to be called anything."""
    labels = "\n".join(column.label for column in table.columns)
    columns = (
        column if column.label else column._replace(other_names=_free(chinese_names(column.name), labels))
        for column in table.columns
    )
    return table._replace(columns=tuple(columns))


def _free(names: tuple[str, ...], labels: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in labels)


def _known(word: str) -> list[str]:
    for form in (word, word.removesuffix("s"), f"{word.removesuffix('ies')}y"):
        if form in _WORDS:
            return _WORDS[form].split()
    return []
